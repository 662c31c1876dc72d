<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
<context>
    <name>Annotations</name>
    <message>
        <source>Annotations</source>
        <translation>标注</translation>
    </message>
    <message>
        <source>Your own remarks, drawn at their positions in this chart, on screen and on paper.</source>
        <translation>您自己的标注，画在此图表的相应位置，屏幕上和纸上均可见。</translation>
    </message>
    <message>
        <source>Place on the horizontal axis, and text. Type to change a cell.</source>
        <translation>横轴上的位置和文字。键入即可修改单元格。</translation>
    </message>
    <message>
        <source>Text</source>
        <translation>文字</translation>
    </message>
    <message>
        <source>Add</source>
        <translation>添加</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>移除</translation>
    </message>
    <message>
        <source>Add an annotation</source>
        <translation>添加标注</translation>
    </message>
    <message>
        <source>Adds one in the middle of what the chart shows.</source>
        <translation>在图表所显示范围的中间添加一个标注。</translation>
    </message>
    <message>
        <source>Remove an annotation</source>
        <translation>移除标注</translation>
    </message>
    <message>
        <source>Removes the one that is selected.</source>
        <translation>移除所选的标注。</translation>
    </message>
    <message>
        <source>Remark</source>
        <translation>标注文字</translation>
    </message>
</context>
<context>
    <name>BackendGuide</name>
    <message>
        <source>All ranks on one machine. Fastest on the CPU, and with several ranks on one GPU, where it uses CUDA IPC. It cannot reach another machine.</source>
        <translation>所有 rank 在同一台机器上时使用。在 CPU 上最快；多个 rank 共享一个 GPU 时也最快（使用 CUDA IPC）。无法连接另一台机器。</translation>
    </message>
    <message>
        <source>Ranks on several hosts on the CPU: each host reduces in its shared memory, and one rank of each goes over Gloo, so the network carries less. On one host it is shm.</source>
        <translation>多台主机上在 CPU 上运行的 rank：每台主机先在共享内存中归约，再由每台各一个 rank 通过 Gloo 通信，因此网络上传送的数据更少。只有一台主机时就是 shm。</translation>
    </message>
    <message>
        <source>Ranks on several machines without MPI, or to compare with PyTorch on the CPU. Goes over TCP, so it is slower on one machine; arrays of a GPU are staged through host memory.</source>
        <translation>rank 分布在多台机器上而没有 MPI，或要与 PyTorch 的 CPU 后端比较时使用。走 TCP，因此在单机上较慢；GPU 上的数组经主机内存中转。</translation>
    </message>
    <message>
        <source>One NVIDIA GPU per rank, on one machine or several: the fastest between GPUs. It supports neither several ranks on one GPU nor the CPU.</source>
        <translation>每个 rank 各有一个 NVIDIA GPU 时使用，单机或多机均可：GPU 之间最快。不支持多个 rank 共享一个 GPU，也不支持 CPU。</translation>
    </message>
    <message>
        <source>A cluster whose network Open MPI is set up for, or to compare with it. mpirun starts the ranks.</source>
        <translation>集群网络已为 Open MPI 配置好，或要与之比较时使用。由 mpirun 启动各 rank。</translation>
    </message>
    <message>
        <source>Everything else: takes the fastest of these that works for the run, and says in the log which one and why.</source>
        <translation>其他情况：选用对该运行可用的最快后端，并在日志中说明选择及原因。</translation>
    </message>
</context>
<context>
    <name>BusyNote</name>
    <message>
        <source>Measured while the machine was busy with other work: %1</source>
        <translation>测量时机器在做其他工作：%1</translation>
    </message>
</context>
<context>
    <name>ChartModel</name>
    <message>
        <source>data</source>
        <translation>数据</translation>
    </message>
    <message>
        <source>forward</source>
        <translation>前向</translation>
    </message>
    <message>
        <source>backward</source>
        <translation>反向</translation>
    </message>
    <message>
        <source>communicate</source>
        <translation>通信</translation>
    </message>
    <message>
        <source>wait</source>
        <translation>等待</translation>
    </message>
    <message>
        <source>optimize</source>
        <translation>更新</translation>
    </message>
    <message>
        <source>evaluate</source>
        <translation>评估</translation>
    </message>
    <message>
        <source>Which machine figures to show</source>
        <translation>显示机器的哪一项</translation>
    </message>
    <message>
        <source>Lists only what the driver and the system report.</source>
        <translation>只列出驱动和系统提供的项目。</translation>
    </message>
    <message>
        <source>Once a single process and runs with several ranks have finished, this shows how training scales.</source>
        <translation>单进程与多个 rank 的运行完成后，这里显示扩展情况。</translation>
    </message>
    <message>
        <source>Loss</source>
        <translation>损失</translation>
    </message>
    <message>
        <source>Training loss</source>
        <translation>训练损失</translation>
    </message>
    <message>
        <source>Accuracy</source>
        <translation>准确率</translation>
    </message>
    <message>
        <source>Test accuracy</source>
        <translation>测试准确率</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>时间</translation>
    </message>
    <message>
        <source>Time per step by phase</source>
        <translation>每步各环节耗时</translation>
    </message>
    <message>
        <source>Time per step</source>
        <translation>每步耗时</translation>
    </message>
    <message>
        <source>Labels</source>
        <translation>标签</translation>
    </message>
    <message>
        <source>Samples by rank and label</source>
        <translation>各 rank 各标签的样本数</translation>
    </message>
    <message>
        <source>Label</source>
        <translation>标签</translation>
    </message>
    <message>
        <source>Rank</source>
        <translation>Rank</translation>
    </message>
    <message>
        <source>Runs that split the data into shares show here which labels each rank has.</source>
        <translation>把数据划分为份额的运行在此显示每个 rank 有哪些标签。</translation>
    </message>
    <message>
        <source>Shares</source>
        <translation>份额</translation>
    </message>
    <message>
        <source>Samples per rank by label</source>
        <translation>每个 rank 按标签的样本数</translation>
    </message>
    <message>
        <source>Samples</source>
        <translation>样本数</translation>
    </message>
    <message>
        <source>Runs that split the data into shares show here how large the shares are.</source>
        <translation>把数据划分为份额的运行在此显示份额的大小。</translation>
    </message>
    <message>
        <source>Skew</source>
        <translation>偏斜</translation>
    </message>
    <message>
        <source>Accuracy over label skew</source>
        <translation>准确率与标签偏斜</translation>
    </message>
    <message>
        <source>Label skew</source>
        <translation>标签偏斜</translation>
    </message>
    <message>
        <source>Runs that split the data into shares show here how the split affects the accuracy.</source>
        <translation>把数据划分为份额的运行在此显示划分对准确率的影响。</translation>
    </message>
    <message>
        <source>Communication</source>
        <translation>通信</translation>
    </message>
    <message>
        <source>Communication by algorithm</source>
        <translation>各算法的通信</translation>
    </message>
    <message>
        <source>Runs with several ranks show here what communication costs.</source>
        <translation>多个 rank 的运行在这里显示通信的代价。</translation>
    </message>
    <message>
        <source>Ranks</source>
        <translation>rank 数</translation>
    </message>
    <message>
        <source>Time per step by rank</source>
        <translation>各 rank 每步的时间</translation>
    </message>
    <message>
        <source>Runs with several ranks show here how each rank spends its time.</source>
        <translation>多个 rank 的运行在这里显示每个 rank 的时间花在哪里。</translation>
    </message>
    <message>
        <source>Sweep</source>
        <translation>扫描</translation>
    </message>
    <message>
        <source>Collective time by message size</source>
        <translation>不同消息大小的集合通信时间</translation>
    </message>
    <message>
        <source>Run the Collectives experiment to see times by message size.</source>
        <translation>运行“集合通信”实验，查看时间随消息大小的变化。</translation>
    </message>
    <message>
        <source>Bandwidth</source>
        <translation>带宽</translation>
    </message>
    <message>
        <source>Collective bus bandwidth by message size</source>
        <translation>不同消息大小的集合通信总线带宽</translation>
    </message>
    <message>
        <source>Bus bandwidth</source>
        <translation>总线带宽</translation>
    </message>
    <message>
        <source>Run the Collectives experiment to see bandwidths by message size.</source>
        <translation>运行“集合通信”实验，查看带宽随消息大小的变化。</translation>
    </message>
    <message>
        <source>Speed-up</source>
        <translation>加速比</translation>
    </message>
    <message>
        <source>Speed-up over the single process</source>
        <translation>相对单进程的加速比</translation>
    </message>
    <message>
        <source>Efficiency</source>
        <translation>效率</translation>
    </message>
    <message>
        <source>Efficiency: speed-up divided by ranks</source>
        <translation>效率：加速比除以 rank 数</translation>
    </message>
    <message>
        <source>Throughput</source>
        <translation>吞吐量</translation>
    </message>
    <message>
        <source>Throughput by number of ranks</source>
        <translation>不同 rank 数的吞吐量</translation>
    </message>
    <message>
        <source>samples/s</source>
        <translation>样本/秒</translation>
    </message>
    <message>
        <source>Breakdown</source>
        <translation>时间构成</translation>
    </message>
    <message>
        <source>Time per step by number of ranks</source>
        <translation>不同 rank 数的每步耗时构成</translation>
    </message>
    <message>
        <source>Target</source>
        <translation>目标</translation>
    </message>
    <message>
        <source>Time to target accuracy by number of ranks</source>
        <translation>不同 rank 数达到目标准确率的时间</translation>
    </message>
    <message>
        <source>Time to target accuracy</source>
        <translation>达到目标准确率的时间</translation>
    </message>
    <message>
        <source>Once a single process and runs with several ranks have finished, this shows which of them reached the target accuracy first.</source>
        <translation>单进程与多个 rank 的运行完成后，这里显示谁先达到目标准确率。</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>内存</translation>
    </message>
    <message>
        <source>Memory per rank</source>
        <translation>每个 rank 的内存</translation>
    </message>
    <message>
        <source>Once a run has made its first steps, this shows what each rank&apos;s memory is used for.</source>
        <translation>运行完成最初几步之后，这里显示每个 rank 的内存用在何处。</translation>
    </message>
    <message>
        <source>Traffic</source>
        <translation>通信量</translation>
    </message>
    <message>
        <source>Data sent per rank and step</source>
        <translation>每个 rank 每步发送的数据</translation>
    </message>
    <message>
        <source>Sent per step</source>
        <translation>每步发送量</translation>
    </message>
    <message>
        <source>Once a run with several ranks has made its first steps, this shows what the ranks send.</source>
        <translation>多个 rank 的运行完成最初几步后，这里显示它们发送了什么。</translation>
    </message>
    <message>
        <source>Machine</source>
        <translation>机器</translation>
    </message>
    <message>
        <source>While a run is in progress, this shows how it uses the machine: CPU, memory and GPUs.</source>
        <translation>运行进行时，这里显示它对机器的占用：CPU、内存和 GPU。</translation>
    </message>
    <message>
        <source>Reading runs, %1 left: until then lowest and highest values are drawn, not smoothed</source>
        <translation>正在读取运行记录（剩 %1 条）：读完之前绘制最小值和最大值，不作平滑</translation>
    </message>
    <message>
        <source>%1 of %2 points drawn (min–max)</source>
        <translation>已绘制 %1 / %2 个点（最小–最大）</translation>
    </message>
    <message>
        <source>Test loss</source>
        <translation>测试损失</translation>
    </message>
    <message>
        <source>Loss on the test set and on each rank&apos;s share</source>
        <translation>测试集上与各 rank 自己份额上的损失</translation>
    </message>
    <message>
        <source>Runs that split the data into shares show here their loss on the test set, which all have in common, beside each rank&apos;s loss on its own share.</source>
        <translation>把数据划分给各 rank 的运行在此显示共同的测试集上的损失，以及各 rank 在自己份额上的损失。</translation>
    </message>
    <message>
        <source>%1 (n = %2)</source>
        <translation>%1（n = %2）</translation>
    </message>
    <message>
        <source>Mean over repeats with its 95 % band</source>
        <translation>均值与 95% 置信带（n 次重复）</translation>
    </message>
    <message>
        <source>Mean over repeats with its 95 % band, at the mean time of each step</source>
        <translation>各次重复的均值及其 95% 置信带，横坐标为每步的平均时间</translation>
    </message>
    <message>
        <source>%1, rank %2 on its own share</source>
        <translation>%1，rank %2 在自己的份额上</translation>
    </message>
    <message>
        <source>Dotted: each rank on its own share, per epoch</source>
        <translation>点线：各 rank 在自己份额上的损失，每轮一点</translation>
    </message>
    <message>
        <source>Dotted: each rank on its own share, per epoch (first repeat)</source>
        <translation>点线：各 rank 在自己份额上的损失，每轮一点（第一次重复）</translation>
    </message>
    <message>
        <source>Staleness</source>
        <translation>陈旧度</translation>
    </message>
    <message>
        <source>Staleness of the gradients</source>
        <translation>梯度的陈旧度</translation>
    </message>
    <message>
        <source>updates between reading the weights and pushing the gradient</source>
        <translation>读取权重到提交梯度之间的更新次数</translation>
    </message>
    <message>
        <source>Share of the gradients</source>
        <translation>梯度所占比例</translation>
    </message>
    <message>
        <source>Runs with an asynchronous parameter server show here how many updates it made while a rank computed a gradient.</source>
        <translation>使用异步参数服务器的运行在这里显示：一个 rank 计算梯度期间，服务器更新了多少次。</translation>
    </message>
    <message>
        <source>Which metric to show</source>
        <translation>选择要显示的指标</translation>
    </message>
    <message>
        <source>Lists what the programs of these runs report by name.</source>
        <translation>列出这些运行的程序按名称报告的指标。</translation>
    </message>
    <message>
        <source>Metrics</source>
        <translation>指标</translation>
    </message>
    <message>
        <source>Your own programs show here what they report with run.metric().</source>
        <translation>自己的程序通过 run.metric() 报告的指标显示在这里。</translation>
    </message>
    <message>
        <source>Which figure to show</source>
        <translation>显示哪个指标</translation>
    </message>
    <message>
        <source>Lists only what these runs have measured.</source>
        <translation>只列出这些运行测得的指标。</translation>
    </message>
    <message>
        <source>Parameter</source>
        <translation>参数</translation>
    </message>
    <message>
        <source>Heat map</source>
        <translation>热力图</translation>
    </message>
    <message>
        <source>Once runs that differ in one parameter have finished, this plots a figure against that parameter.</source>
        <translation>参数不同的运行结束后，这里显示某个指标随该参数的变化。</translation>
    </message>
    <message>
        <source>Once runs that differ in two parameters have finished, this plots a figure against both.</source>
        <translation>两个参数不同的运行结束后，这里显示某个指标随这两个参数的变化。</translation>
    </message>
    <message>
        <source>Lines</source>
        <translation>曲线</translation>
    </message>
    <message>
        <source>Rows</source>
        <translation>行</translation>
    </message>
    <message>
        <source>What the bars are</source>
        <translation>柱的含义</translation>
    </message>
    <message>
        <source>Time per step, time per sample, or each phase&apos;s share of a step.</source>
        <translation>每步耗时、每样本时间，或各阶段在一步中的占比。</translation>
    </message>
    <message>
        <source>per step</source>
        <translation>每步</translation>
    </message>
    <message>
        <source>per sample</source>
        <translation>每样本</translation>
    </message>
    <message>
        <source>shares</source>
        <translation>占比</translation>
    </message>
    <message>
        <source>Time per sample by phase</source>
        <translation>各阶段的每样本时间</translation>
    </message>
    <message>
        <source>Time per sample</source>
        <translation>每样本时间</translation>
    </message>
    <message>
        <source>Shares of a step by phase</source>
        <translation>各阶段在一步中的占比</translation>
    </message>
    <message>
        <source>Share of a step</source>
        <translation>在一步中的占比</translation>
    </message>
    <message>
        <source>How many ranks to show</source>
        <translation>显示多少个 rank</translation>
    </message>
    <message>
        <source>Communication and waiting per step</source>
        <translation>每步的通信与等待时间</translation>
    </message>
    <message>
        <source>The measured numbers of ranks, or predictions far beyond them.</source>
        <translation>实测的 rank 数，或远超实测范围的预测。</translation>
    </message>
    <message>
        <source>Training loss (batch)</source>
        <translation>训练损失（批次）</translation>
    </message>
    <message>
        <source>Batch loss</source>
        <translation>批次损失</translation>
    </message>
    <message>
        <source>Training loss at each evaluation</source>
        <translation>每次评估时的训练损失</translation>
    </message>
    <message>
        <source>%1 continues after step %2 with a schedule recomputed for %3 steps instead of %4</source>
        <translation>%1 从第 %2 步之后继续，学习率调度按 %3 步（而不是 %4 步）重新计算</translation>
    </message>
    <message>
        <source>%1 is left out: its checkpoint does not say how long the steps before took</source>
        <translation>未画出 %1：其检查点没有记录之前各步所用的时间</translation>
    </message>
    <message>
        <source>other</source>
        <translation>其他</translation>
    </message>
</context>
<context>
    <name>CleanUp</name>
    <message>
        <source>Delete old runs</source>
        <translation>删除旧的运行记录</translation>
    </message>
    <message>
        <source>days</source>
        <translation>天</translation>
    </message>
    <message>
        <source>Also all failed, stopped and interrupted runs</source>
        <translation>同时删除所有失败、停止或中断的运行</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>删除</translation>
    </message>
    <message>
        <source>Older than</source>
        <translation>早于</translation>
    </message>
    <message>
        <source>Keep the newest of each variant</source>
        <translation>每个变体保留最新的</translation>
    </message>
    <message numerus="yes">
        <source>%n runs will be deleted; this can be undone.</source>
        <translation>
            <numerusform>将删除 %n 条运行记录；可以撤销。</numerusform>
        </translation>
    </message>
    <message>
        <source>Pinned and tagged runs are always kept.</source>
        <translation>置顶或带标签的运行始终保留。</translation>
    </message>
    <message>
        <source>Age from which runs are deleted.</source>
        <translation>超过此天数的运行记录将被删除。</translation>
    </message>
    <message>
        <source>Number of newest runs of each variant to keep, however old they are.</source>
        <translation>每个变体保留的最新运行数，无论多旧。</translation>
    </message>
    <message>
        <source>Deletes runs without a result whatever their age.</source>
        <translation>删除没有结果的运行，不论新旧。</translation>
    </message>
</context>
<context>
    <name>Coincidence</name>
    <message>
        <source>%1 runs coincide</source>
        <translation>%1 个运行的曲线重合</translation>
    </message>
    <message>
        <source>%1 curves coincide</source>
        <translation>%1 条曲线重合</translation>
    </message>
</context>
<context>
    <name>Columns</name>
    <message>
        <source>Run</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>The run&apos;s name, or that of its variant.</source>
        <translation>运行的名称，未命名时为其变体的名称。</translation>
    </message>
    <message>
        <source>Experiment</source>
        <translation>实验</translation>
    </message>
    <message>
        <source>The experiment that the run belongs to.</source>
        <translation>该运行所属的实验。</translation>
    </message>
    <message>
        <source>Variant</source>
        <translation>变体</translation>
    </message>
    <message>
        <source>The variant of the experiment.</source>
        <translation>实验中的变体。</translation>
    </message>
    <message>
        <source>Status</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>How the run ended, or its current state.</source>
        <translation>运行如何结束，或当前的状态。</translation>
    </message>
    <message>
        <source>Started</source>
        <translation>开始时间</translation>
    </message>
    <message>
        <source>When the run was started.</source>
        <translation>运行开始的时间。</translation>
    </message>
    <message>
        <source>Changed settings</source>
        <translation>非默认设置</translation>
    </message>
    <message>
        <source>Settings that differ from the built-in experiment.</source>
        <translation>与内置实验不同的设置。</translation>
    </message>
    <message>
        <source>Tags</source>
        <translation>标签</translation>
    </message>
    <message>
        <source>Your own words for this run, separated by commas.</source>
        <translation>您给这次运行加的标签，以逗号分隔。</translation>
    </message>
    <message>
        <source>Note</source>
        <translation>备注</translation>
    </message>
    <message>
        <source>Imported from</source>
        <translation>导入自</translation>
    </message>
    <message>
        <source>The file that the run was imported from; empty for runs measured in this store.</source>
        <translation>导入该运行的文件；在本运行库中测得的运行为空。</translation>
    </message>
    <message>
        <source>Your own remark on this run.</source>
        <translation>您对这次运行的备注。</translation>
    </message>
    <message>
        <source>Pinned</source>
        <translation>置顶</translation>
    </message>
    <message>
        <source>Pinned runs stay on top and are never deleted by a rule.</source>
        <translation>置顶的运行始终排在最前，不会被规则删除。</translation>
    </message>
    <message>
        <source>Changed by hand</source>
        <translation>人工干预</translation>
    </message>
    <message>
        <source>What was changed by hand during the run: paused, slowed, link.</source>
        <translation>运行期间的人工干预：暂停、人为减慢、更改链路。</translation>
    </message>
    <message>
        <source>Message</source>
        <translation>消息</translation>
    </message>
    <message>
        <source>Why the run failed or stopped.</source>
        <translation>运行失败或停止的原因。</translation>
    </message>
    <message>
        <source>Id</source>
        <translation>编号</translation>
    </message>
    <message>
        <source>The run&apos;s id, which names its file.</source>
        <translation>运行的编号，也是其文件名。</translation>
    </message>
    <message>
        <source>Repeat</source>
        <translation>第几次重复</translation>
    </message>
    <message>
        <source>Number of the repeat, from 1.</source>
        <translation>重复的序号，从 1 开始。</translation>
    </message>
    <message>
        <source>Ranks</source>
        <translation>rank 数</translation>
    </message>
    <message>
        <source>Number of processes.</source>
        <translation>进程数。</translation>
    </message>
    <message>
        <source>today</source>
        <translation>今天</translation>
    </message>
    <message>
        <source>yesterday</source>
        <translation>昨天</translation>
    </message>
</context>
<context>
    <name>CommandLine</name>
    <message>
        <source>%1: %2 cores, %3 GB</source>
        <translation>%1：%2 个核心，%3 GB</translation>
    </message>
    <message>
        <source>tried</source>
        <translation>试运行</translation>
    </message>
    <message>
        <source>%1 on %2: works</source>
        <translation>%1（%2）：可用</translation>
    </message>
    <message>
        <source>%1 on %2: FAILS, %3</source>
        <translation>%1（%2）：失败，%3</translation>
    </message>
    <message>
        <source>backend</source>
        <translation>后端</translation>
    </message>
    <message>
        <source>%1 on %2, works: %3</source>
        <translation>%1（%2），可用：%3</translation>
    </message>
    <message>
        <source>%1 on %2, FAILS: %3</source>
        <translation>%1（%2），失败：%3</translation>
    </message>
    <message>
        <source>%1 on %2, built from messages: %3</source>
        <translation>%1（%2），由消息组成：%3</translation>
    </message>
    <message>
        <source>CUDA rank</source>
        <translation>CUDA rank</translation>
    </message>
    <message>
        <source>rank program</source>
        <translation>rank 程序</translation>
    </message>
    <message>
        <source>does not work: %1</source>
        <translation>无法工作：%1</translation>
    </message>
    <message>
        <source>LibTorch</source>
        <translation>LibTorch</translation>
    </message>
    <message>
        <source>BLAS</source>
        <translation>BLAS</translation>
    </message>
    <message>
        <source>Gloo</source>
        <translation>Gloo</translation>
    </message>
    <message>
        <source>there</source>
        <translation>已有</translation>
    </message>
    <message>
        <source>not linked (one process per run needs none)</source>
        <translation>未链接（单进程运行不需要）</translation>
    </message>
    <message>
        <source>RPC</source>
        <translation>RPC</translation>
    </message>
    <message>
        <source>available (pipeline.transport rpc)</source>
        <translation>可用（pipeline.transport rpc）</translation>
    </message>
    <message>
        <source>not in this LibTorch: pipelines have pipeline.transport p2p only</source>
        <translation>此 LibTorch 没有：流水线只能用 pipeline.transport p2p</translation>
    </message>
    <message>
        <source>listening</source>
        <translation>监听</translation>
    </message>
    <message>
        <source>runs on this machine listen on 127.0.0.1 only, except under mpirun: with comm.backend mpi, Open MPI itself listens on every interface</source>
        <translation>本机上的运行只监听 127.0.0.1；mpirun 除外：comm.backend 为 mpi 时，Open MPI 自身监听所有网络接口</translation>
    </message>
    <message>
        <source>runs on this machine listen on 127.0.0.1 only</source>
        <translation>本机上的运行只监听 127.0.0.1</translation>
    </message>
    <message>
        <source>%1 (not found)</source>
        <translation>%1（未找到）</translation>
    </message>
    <message>
        <source>system</source>
        <translation>系统</translation>
    </message>
    <message>
        <source>processor</source>
        <translation>处理器</translation>
    </message>
    <message>
        <source>%1, %2 cores</source>
        <translation>%1，%2 个核心</translation>
    </message>
    <message>
        <source>memory</source>
        <translation>内存</translation>
    </message>
    <message>
        <source>%1, free %2</source>
        <translation>%1，空闲 %2</translation>
    </message>
    <message>
        <source>interfaces</source>
        <translation>网络接口</translation>
    </message>
    <message>
        <source>GPUs</source>
        <translation>GPU</translation>
    </message>
    <message>
        <source>run store</source>
        <translation>运行库</translation>
    </message>
    <message>
        <source>%1, %2 runs</source>
        <translation>%1，%2 个运行</translation>
    </message>
    <message>
        <source>MNIST</source>
        <translation>MNIST</translation>
    </message>
    <message>
        <source>CIFAR-10</source>
        <translation>CIFAR-10</translation>
    </message>
    <message>
        <source>All is well.</source>
        <translation>一切正常。</translation>
    </message>
    <message>
        <source>What to do:</source>
        <translation>建议：</translation>
    </message>
    <message>
        <source>, loss %1</source>
        <translation>，损失 %1</translation>
    </message>
    <message>
        <source>, accuracy %1</source>
        <translation>，准确率 %1</translation>
    </message>
    <message>
        <source>, %1 steps</source>
        <translation>，%1 步</translation>
    </message>
    <message>
        <source>step %1 of %2</source>
        <translation>第 %1/%2 步</translation>
    </message>
    <message>
        <source>step %1</source>
        <translation>第 %1 步</translation>
    </message>
    <message>
        <source>name</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>status</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>steps</source>
        <translation>步</translation>
    </message>
    <message>
        <source>accuracy</source>
        <translation>准确率</translation>
    </message>
    <message>
        <source>ms/step</source>
        <translation>ms/步</translation>
    </message>
    <message>
        <source>the bundle, usually NAME.lockstep; a file of that name is replaced</source>
        <translation>打包文件，通常为 NAME.lockstep；同名文件会被替换</translation>
    </message>
    <message>
        <source>only prints what the bundle would contain</source>
        <translation>只打印打包文件将包含的内容</translation>
    </message>
    <message>
        <source>keeps host and user names, and the ids of GPUs</source>
        <translation>保留主机名、用户名和 GPU 编号</translation>
    </message>
    <message>
        <source>prints JSON</source>
        <translation>打印 JSON</translation>
    </message>
    <message>
        <source>the folder that keeps the runs</source>
        <translation>保存运行的文件夹</translation>
    </message>
    <message>
        <source>this text</source>
        <translation>显示本说明</translation>
    </message>
    <message>
        <source>also writes a bundle&apos;s experiment there, for lockstep run</source>
        <translation>同时把打包文件中的实验写到该文件，供 lockstep run 使用</translation>
    </message>
    <message>
        <source>lockstep bundle RUN... --out FILE: runs with their experiment and environment as one file, for lockstep import. RUN is an id, the beginning of one, or last: the newest comparison</source>
        <translation>lockstep bundle RUN... --out FILE：把运行连同其实验和环境写成一个文件，供 lockstep import 使用。RUN 是编号、编号的开头，或 last（最近一次比较）</translation>
    </message>
    <message>
        <source>changes a parameter for the rest of the run, such as train.epochs</source>
        <translation>为运行的其余部分更改一个参数，例如 train.epochs</translation>
    </message>
    <message>
        <source>uses the folder for checkpoints that the stored run names; needed only once for each</source>
        <translation>使用运行记录中指定的检查点文件夹；每个只需确认一次</translation>
    </message>
    <message>
        <source>writes result.json, the curves as CSV and the charts into DIR</source>
        <translation>把 result.json、曲线（CSV）和图表写入 DIR</translation>
    </message>
    <message>
        <source>prints the results as JSON on stdout</source>
        <translation>把结果以 JSON 打印到标准输出</translation>
    </message>
    <message>
        <source>the output file (default: RUN-STEP.pt or RUN-STEP.safetensors)</source>
        <translation>输出文件（默认 RUN-STEP.pt 或 RUN-STEP.safetensors）</translation>
    </message>
    <message>
        <source>the format of the file (default: torch)</source>
        <translation>文件格式（默认 torch）</translation>
    </message>
    <message>
        <source>uses this checkpoint instead of the newest</source>
        <translation>使用该检查点，而不是最新的</translation>
    </message>
    <message>
        <source>lockstep resume RUN [options]: resumes a stored run from its newest checkpoint

RUN is an id, the beginning of one, or `last`.</source>
        <translation>lockstep resume RUN [选项]：从最新的检查点恢复已保存的运行

RUN 是编号、编号的开头，或 `last`。</translation>
    </message>
    <message>
        <source>lockstep weights RUN [options]: joins the weights of a checkpoint into one file, which Python reads with torch.load(FILE, weights_only=True), or as safetensors</source>
        <translation>lockstep weights RUN [选项]：把检查点的权重合并成一个文件，Python 用 torch.load(FILE, weights_only=True) 读取，或存为 safetensors</translation>
    </message>
    <message>
        <source>prints the reference page</source>
        <translation>打印参考页</translation>
    </message>
    <message>
        <source>lockstep presets [--json]: the built-in experiments</source>
        <translation>lockstep presets [--json]：内置的实验</translation>
    </message>
    <message>
        <source>lockstep parameters [--json | --markdown]: every parameter of a spec</source>
        <translation>lockstep parameters [--json | --markdown]：实验配置的全部参数</translation>
    </message>
    <message>
        <source>sets a parameter in every variant; may be repeated</source>
        <translation>在所有变体中设置一个参数；可多次使用</translation>
    </message>
    <message>
        <source>makes a variant for each value; several give all combinations</source>
        <translation>每个值生成一个变体；多次使用则生成所有组合</translation>
    </message>
    <message>
        <source>starts the program, and uses the folders, that a spec file names; needed only once for each</source>
        <translation>启动实验配置文件中指定的程序，并使用其中指定的文件夹；每个只需确认一次</translation>
    </message>
    <message>
        <source>this text, and every parameter</source>
        <translation>显示本说明和全部参数</translation>
    </message>
    <message>
        <source>--vary separates the values of a list parameter by semicolons: straggler.ranks=&apos;0;1,2&apos;. --only
chooses among the variants as they are written, before --vary.

Parameters for --set and --vary:</source>
        <translation>--vary 用分号分隔列表参数的值：straggler.ranks=&apos;0;1,2&apos;。--only
在 --vary 之前，从写明的变体中选择。

可用于 --set 和 --vary 的参数：</translation>
    </message>
    <message>
        <source>Allowed: %1.</source>
        <translation>可取：%1。</translation>
    </message>
    <message>
        <source>only runs that match: &apos;accuracy &gt; 0.94 and net = cnn&apos;</source>
        <translation>只列出符合条件的运行：&apos;accuracy &gt; 0.94 and net = cnn&apos;</translation>
    </message>
    <message>
        <source>figures and parameters, separated by commas</source>
        <translation>指标和参数，以逗号分隔</translation>
    </message>
    <message>
        <source>sorts by this column; -COLUMN puts the largest first</source>
        <translation>按该列排序；-COLUMN 从大到小</translation>
    </message>
    <message>
        <source>one row per group of equal values; variant groups repeats</source>
        <translation>每组相同的值一行；variant：按重复分组</translation>
    </message>
    <message>
        <source>adds differences from this run or its group: an id or a name</source>
        <translation>增加与该运行（或其分组）之差：编号或名称</translation>
    </message>
    <message>
        <source>counts runs in groups that were changed by hand</source>
        <translation>分组时也计入手动更改过的运行</translation>
    </message>
    <message>
        <source>prints CSV, numbers in full</source>
        <translation>打印 CSV，数字不舍入</translation>
    </message>
    <message>
        <source>prints a LaTeX tabular</source>
        <translation>打印 LaTeX 表格</translation>
    </message>
    <message>
        <source>no runs in %1 yet: lockstep run optimizers creates three</source>
        <translation>%1 中还没有运行：lockstep run optimizers 会生成三个</translation>
    </message>
    <message>
        <source>lockstep runs [--filter TEXT] [--group-by LIST]: the stored runs, newest first</source>
        <translation>lockstep runs [--filter TEXT] [--group-by LIST]：已保存的运行，最新的在前</translation>
    </message>
    <message>
        <source>A filter compares columns with = != &lt; &lt;= &gt; &gt;= and ~ (contains), joined by and, or, not and
parentheses; words alone are looked for in names, tags and notes. Columns are figures (loss,
accuracy, ms_per_step, ...) and parameters (net.name or net, optimizer.lr or lr, ...).</source>
        <translation>筛选条件用 = != &lt; &lt;= &gt; &gt;= 和 ~（包含）比较各列，用 and、or、not 和括号组合；
单独的词在名称、标签和备注中查找。列是指标（loss、accuracy、ms_per_step 等）
和参数（net.name 或 net、optimizer.lr 或 lr 等）。</translation>
    </message>
    <message>
        <source>a template&apos;s name or file (default: that of the runs&apos; experiment)</source>
        <translation>模板的名称或文件（默认为运行所属实验的模板）</translation>
    </message>
    <message>
        <source>prints the template as JSON, as a starting point for your own</source>
        <translation>以 JSON 打印模板，可据此编写自己的模板</translation>
    </message>
    <message>
        <source>docx, pdf, html, md, tex (separated by commas; default: docx)</source>
        <translation>docx、pdf、html、md、tex（多个以逗号分隔；默认 docx）</translation>
    </message>
    <message>
        <source>the folder to write to (default: the current one)</source>
        <translation>写入的文件夹（默认为当前文件夹）</translation>
    </message>
    <message>
        <source>language of the report (default: the system&apos;s)</source>
        <translation>报告的语言（默认为系统语言）</translation>
    </message>
    <message>
        <source>the author, for the title page (default: a line to write the name on)</source>
        <translation>作者姓名，用于封面（默认留一条横线）</translation>
    </message>
    <message>
        <source>the author&apos;s student number</source>
        <translation>作者的学号</translation>
    </message>
    <message>
        <source>counts runs that were paused, slowed down or had their link changed by hand</source>
        <translation>也计入手动暂停、放慢或更改过链路的运行</translation>
    </message>
    <message>
        <source>replaces files of the same names</source>
        <translation>替换同名文件</translation>
    </message>
    <message>
        <source>lockstep report RUN...: writes a report of stored runs, from a template

RUN is an id, the beginning of one, or `last` (the newest comparison).
Templates: %1; your own: FILE.json in %2</source>
        <translation>lockstep report RUN...：按模板为已保存的运行撰写报告

RUN 是编号、编号的开头，或 `last`（最近一次比较）。
模板：%1；自己的模板：%2 中的 FILE.json</translation>
    </message>
    <message>
        <source>the variant; needed where the experiment has several</source>
        <translation>变体；实验有多个变体时必须给出</translation>
    </message>
    <message>
        <source>the script; FILE.data beside it gets the weights and the order of samples</source>
        <translation>脚本；权重和样本顺序写入旁边的 FILE.data</translation>
    </message>
    <message>
        <source>sets a parameter; may be repeated</source>
        <translation>设置一个参数；可重复使用</translation>
    </message>
    <message>
        <source>uses the folders that a spec file names; needed only once for each</source>
        <translation>使用实验配置文件中指定的文件夹；每个只需确认一次</translation>
    </message>
    <message>
        <source>the queue is empty</source>
        <translation>队列为空</translation>
    </message>
    <message>
        <source>about %1 in all</source>
        <translation>共约 %1</translation>
    </message>
    <message>
        <source>; the queue is paused</source>
        <translation>；队列已暂停</translation>
    </message>
    <message>
        <source>lockstep pytorch PRESET|SPEC.json --only NAME --out FILE.py: writes a run as a script for torch.distributed, with the same losses</source>
        <translation>lockstep pytorch PRESET|SPEC.json --only NAME --out FILE.py：把一次运行写成 torch.distributed 脚本，损失相同</translation>
    </message>
    <message>
        <source>%1  %2, %3, %4, %5 steps, %6</source>
        <translation>%1  %2，%3，%4，%5 步，%6</translation>
    </message>
    <message>
        <source>%1: the experiment of these runs</source>
        <translation>%1：这些运行的实验</translation>
    </message>
    <message>
        <source>home folders shortened to ~ in %1 texts</source>
        <translation>%1 处文本中的主文件夹缩写为 ~</translation>
    </message>
    <message>
        <source>host and user names are kept</source>
        <translation>保留主机名和用户名</translation>
    </message>
    <message>
        <source>host names (%1) and user names left out (--with-names keeps them)</source>
        <translation>略去主机名（%1 个）和用户名（--with-names 予以保留）</translation>
    </message>
    <message>
        <source>%1 will contain</source>
        <translation>%1 将包含</translation>
    </message>
    <message>
        <source>run %1 is already in this store and is left unchanged</source>
        <translation>运行 %1 已在此运行库中，保持不变</translation>
    </message>
    <message>
        <source>stopping; interrupt again to kill the ranks</source>
        <translation>正在停止；再次中断将终止各 rank</translation>
    </message>
    <message>
        <source>killing</source>
        <translation>正在终止</translation>
    </message>
    <message>
        <source>the confirmation could not be saved: %1</source>
        <translation>无法保存确认：%1</translation>
    </message>
    <message>
        <source>sbatch, mpirun, torchrun, compose or kubernetes</source>
        <translation>sbatch、mpirun、torchrun、compose 或 kubernetes</translation>
    </message>
    <message>
        <source>the folder to write the files to; it must be empty or not exist yet</source>
        <translation>写入文件的文件夹；必须为空或尚不存在</translation>
    </message>
    <message>
        <source>only these variants</source>
        <translation>只用这些变体</translation>
    </message>
    <message>
        <source>lockstep launch PRESET|SPEC.json --as LAUNCHER --out DIR: writes the files by which another launcher starts the runs, and prints its command; afterwards, lockstep import DIR/records/NAME</source>
        <translation>lockstep launch PRESET|SPEC.json --as LAUNCHER --out DIR：写出供其他启动器启动运行的文件，并打印启动命令；运行结束后用 lockstep import DIR/records/NAME 导入</translation>
    </message>
    <message>
        <source>the hosts, one per line: NAME slots=N; by default the launcher chooses</source>
        <translation>主机列表，每行一台：NAME slots=N；省略时由启动器选择</translation>
    </message>
    <message>
        <source>the hosts, one per line: NAME slots=N program=/PATH address=ADDRESS; needs --launch ssh</source>
        <translation>主机列表，每行一台：NAME slots=N program=/PATH address=ADDRESS；需要 --launch ssh</translation>
    </message>
    <message>
        <source>the hosts, one per line: NAME slots=N program=/PATH address=ADDRESS</source>
        <translation>主机列表，每行一台：NAME slots=N program=/PATH address=ADDRESS</translation>
    </message>
    <message>
        <source>exit code 3 if ranks cannot be started on one of them</source>
        <translation>若无法在其中一台上启动 rank，则退出码为 3</translation>
    </message>
    <message>
        <source>%1 (%2): %3 slots, %4 cores, %5 GB of memory (%6 free), GPUs: %7, lockstep-rank %8</source>
        <translation>%1（%2）：%3 个位置（slots），%4 个核心，内存 %5 GB（空闲 %6），GPU：%7，lockstep-rank %8</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>a round trip takes %1 ms; its clock is %2 ± %3 ms ahead</source>
        <translation>一次往返用时 %1 ms；其时钟超前 %2 ± %3 ms</translation>
    </message>
    <message>
        <source>lockstep hosts --hosts FILE [--check] [--measure] [--json]: checks over ssh which hosts answer, and what each of them has</source>
        <translation>lockstep hosts --hosts FILE [--check] [--measure] [--json]：通过 ssh 查询哪些主机可用，以及各主机有什么</translation>
    </message>
    <message>
        <source>also measures latency and bandwidth between each pair of hosts: a few seconds per pair</source>
        <translation>还测量每两台主机之间的延迟和带宽：每对需几秒</translation>
    </message>
    <message>
        <source>between each pair of hosts, the latency of a message in µs (lower left) and the bandwidth of all-reduces of 4 MiB in MB/s (upper right):</source>
        <translation>每两台主机之间，一条消息的延迟（左下，µs）和 4 MiB all-reduce 的带宽（右上，MB/s）：</translation>
    </message>
    <message>
        <source>local: the ranks are on this machine; ssh: on those of --hosts; slurm: on the nodes of the allocation that this command runs in; wait: others start them, with the file of --workbench-file</source>
        <translation>local：rank 在本机；ssh：在 --hosts 列出的主机上；slurm：在运行本命令的作业分配到的节点上；wait：由他人启动，使用 --workbench-file 指定的文件</translation>
    </message>
    <message>
        <source>this machine&apos;s address, by which the ranks reach it; they come over TLS; needs --launch wait</source>
        <translation>本机地址，rank 通过它连接本机；连接使用 TLS；需要 --launch wait</translation>
    </message>
    <message>
        <source>is written for each run and tells its ranks where this command waits, and the run&apos;s secret: LOCKSTEP_WORKBENCH=FILE lockstep-rank; needs --launch wait</source>
        <translation>每次运行都会写入该文件，告诉 rank 本命令在何处等待以及本次运行的密钥：LOCKSTEP_WORKBENCH=FILE lockstep-rank；需要 --launch wait</translation>
    </message>
    <message>
        <source>reads a recording while ranks write it, until all have ended; the run is in the store at once</source>
        <translation>在各 rank 写入期间读取记录，直到全部结束；该运行会立即出现在运行库中</translation>
    </message>
    <message>
        <source>waiting for steps in %1</source>
        <translation>等待 %1 中出现新的步</translation>
    </message>
    <message>
        <source>prints the queue as JSON on stdout</source>
        <translation>把队列以 JSON 打印到标准输出</translation>
    </message>
    <message>
        <source>the folder that keeps the runs and their queue</source>
        <translation>保存运行及其队列的文件夹</translation>
    </message>
    <message>
        <source>Options of add:</source>
        <translation>add 的选项：</translation>
    </message>
    <message>
        <source>Options of run:</source>
        <translation>run 的选项：</translation>
    </message>
    <message>
        <source>Options of the other actions:</source>
        <translation>其他操作的选项：</translation>
    </message>
    <message>
        <source>checks the experiment for ranks that are started this way (local, ssh, slurm or wait); the queue does not keep it: queue run needs it too</source>
        <translation>按 rank 的启动方式（local、ssh、slurm 或 wait）检查实验；队列不保存它，执行 queue run 时需再次给出</translation>
    </message>
    <message>
        <source>lockstep queue ACTION [options]

Experiments in line: they run one after the other, each with all its runs. The queue is kept beside the
runs. The window or `lockstep queue run` carries it out, whichever started first; the other actions
reach that process, or change the stored queue where there is none.

  add PRESET|SPEC.json   puts an experiment at the end of the line; with --launch, checks it for ranks on
                         other hosts instead of this machine
  list                   shows the queue, with the estimated time of each experiment and in all
  move ID PLACE          to this place among those that wait, from 1
  next ID                to the first place
  pause [ID]             pauses one experiment; without ID the queue: no further one starts
  resume [ID]            the opposite; an interrupted experiment runs what is missing
  stop [ID]              ends an experiment that runs and takes it out of the line; without ID the one that
                         runs, and pauses the queue
  remove ID              takes an experiment out of the line that does not run
  clear                  removes all that do not run
  run                    carries the queue out until nothing is left to start, on this machine or where
                         --launch says; Ctrl+C keeps what is missing

Exit codes: 0 done, 2 bad input, 3 run: a run failed or an experiment could not start.</source>
        <translation>lockstep queue ACTION [选项]

排队的实验：依次运行，每个实验连同其全部运行。队列与运行记录保存在同一文件夹。
由窗口或 `lockstep queue run` 执行，先启动者负责；其他操作会通知该进程，没有这样的进程时则修改保存的队列。

  add PRESET|SPEC.json   将实验加到队尾；给出 --launch 时，按其他主机上的 rank 而不是本机检查
  list                   显示队列，以及每个实验和全部实验的估计时间
  move ID PLACE          移到等待的实验中的这个位置，从 1 开始
  next ID                移到第一位
  pause [ID]             暂停一个实验；不给出 ID 则暂停队列：不再开始下一个
  resume [ID]            与之相反；被中断的实验会运行尚缺的部分
  stop [ID]              结束正在运行的实验并将其移出队列；不给出 ID 则结束当前的实验，并暂停队列
  remove ID              将没有在运行的实验移出队列
  clear                  移除所有没有在运行的实验
  run                    在本机或 --launch 指定的位置执行队列，直到没有可开始的实验；Ctrl+C 保留尚缺的部分

退出码：0 完成，2 输入有误，3 run：有运行失败，或有实验无法开始。</translation>
    </message>
    <message>
        <source>to distinguish an error from rounding, compare in float64: %1</source>
        <translation>要区分错误与舍入，请用 float64 比较：%1</translation>
    </message>
    <message>
        <source>train loss</source>
        <translation>训练损失</translation>
    </message>
    <message>
        <source>batch loss</source>
        <translation>批次损失</translation>
    </message>
    <message>
        <source>ranks: sets world_size; of a program without it, those that it makes itself</source>
        <translation>rank 数：即 world_size；不给出时由程序自行创建</translation>
    </message>
    <message>
        <source>lockstep run PRESET|SPEC.json [options]
lockstep run [-n N] [options] -- COMMAND...

Runs every variant of an experiment, each in its own processes; those that are compared take turns. The command is your own program, such as `python3 train.py --lr 0.1`, unchanged.
Presets: %1, and own: one run with the defaults, for use with --set and --vary</source>
        <translation>lockstep run 预设|SPEC.json [选项]
lockstep run [-n N] [选项] -- 命令...

运行实验的每个变体，各在自己的进程中；相互比较的变体轮流运行。命令是你自己的程序，例如 `python3 train.py --lr 0.1`，不必改动。
预设：%1，以及 own：一次采用默认值的运行，与 --set 和 --vary 配合使用</translation>
    </message>
    <message>
        <source>the ranks could not be ended in time: this process ends</source>
        <translation>未能及时结束各 rank：此进程现在退出</translation>
    </message>
    <message>
        <source>lockstep import FILE... [--json] [--store DIR]: copies the runs of bundles, run files and recordings of lockstep-rank (of all its ranks: FILE, FILE.rank0) into the store, marked as imported. Scalars of TensorBoard event files, and columns of CSV or TSV files (also .gz), become runs to compare with; a folder is read with those in it. Starts nothing</source>
        <translation>lockstep import FILE... [--json] [--store DIR]：把运行包、运行文件和 lockstep-rank 的记录（所有 rank：FILE、FILE.rank0）复制到存储中，并标为已导入。TensorBoard 事件文件的标量和 CSV、TSV（含 .gz）的列成为用于比较的运行；文件夹连同子文件夹一起读取。不启动任何程序</translation>
    </message>
    <message>
        <source>remark: %1</source>
        <translation>注意：%1</translation>
    </message>
    <message>
        <source>%1, revision %2: %3 steps, %4 runs; no errors</source>
        <translation>%1，修订 %2：%3 个步骤，%4 个运行；没有错误</translation>
    </message>
    <message>
        <source>what is written; without it a name beside PATH</source>
        <translation>写入的文件；默认在 PATH 旁命名</translation>
    </message>
    <message>
        <source>the new folder; without it the experiment&apos;s name</source>
        <translation>新文件夹；默认为实验名</translation>
    </message>
    <message>
        <source>the key; without it the folder&apos;s key.json</source>
        <translation>答案文件；默认为文件夹中的 key.json</translation>
    </message>
    <message>
        <source>of a hand-in: looks for a seal code that was collected; may be repeated</source>
        <translation>用于提交文件：查找收集的封存码；可重复</translation>
    </message>
    <message>
        <source>of a hand-in: the laboratory that it must be of</source>
        <translation>用于提交文件：它应属于的实验</translation>
    </message>
    <message>
        <source>of a hand-in: puts its runs into a store of their own</source>
        <translation>用于提交文件：把其运行放入单独的存储</translation>
    </message>
    <message>
        <source>prints the JSON schema instead of the page</source>
        <translation>输出 JSON schema 而不是参考页</translation>
    </message>
    <message>
        <source>lockstep lab new PRESET|SPEC.json [--out DIR]: writes a folder to start a laboratory from</source>
        <translation>lockstep lab new PRESET|SPEC.json [--out DIR]：写出实验的起始文件夹</translation>
    </message>
    <message>
        <source>lockstep lab check PATH [--key FILE] [--code CODE]: names what is wrong with a laboratory (a folder or .lab) or a hand-in, a line each</source>
        <translation>lockstep lab check PATH [--key FILE] [--code CODE]：逐行指出实验（文件夹或 .lab）或提交文件的问题</translation>
    </message>
    <message>
        <source>lockstep lab hand-out FOLDER [--out NAME.lab]: writes the laboratory for students, and NAME.key beside it</source>
        <translation>lockstep lab hand-out FOLDER [--out NAME.lab]：写出给学生的实验，旁边写出 NAME.key</translation>
    </message>
    <message>
        <source>lockstep lab hand-in ID [--out FILE.handin]: writes the work on a laboratory for the lecturer, without names of hosts and users</source>
        <translation>lockstep lab hand-in ID [--out FILE.handin]：为教师写出实验作业，不含主机名和用户名</translation>
    </message>
    <message>
        <source>lockstep lab list: the laboratories of the program, and the work that was begun</source>
        <translation>lockstep lab list：程序自带的实验和已开始的作业</translation>
    </message>
    <message>
        <source>lockstep lab format: the reference page of laboratory.json</source>
        <translation>lockstep lab format：laboratory.json 的参考页</translation>
    </message>
    <message>
        <source>%1 has no key.json: only the laboratory was written</source>
        <translation>%1 没有 key.json：只写出了实验</translation>
    </message>
    <message>
        <source>%1: %2, %3 minutes</source>
        <translation>%1：%2，%3 分钟</translation>
    </message>
    <message>
        <source>%1, revision %2, handed in at %3</source>
        <translation>%1，修订 %2，提交于 %3</translation>
    </message>
    <message>
        <source>%1: sealed at %2, code %3</source>
        <translation>%1：封存于 %2，封存码 %3</translation>
    </message>
    <message>
        <source>missing: %1</source>
        <translation>缺少：%1</translation>
    </message>
    <message>
        <source>no seal has the code %1</source>
        <translation>没有封存码为 %1 的封存</translation>
    </message>
    <message>
        <source>questions without an answer, not printed: %1</source>
        <translation>未作答而不印出的问题：%1</translation>
    </message>
    <message>
        <source>%1: begun, in %2</source>
        <translation>%1：已开始，位于 %2</translation>
    </message>
    <message>
        <source>runs that are no longer in the store: %1</source>
        <translation>已不在存储中的运行：%1 个</translation>
    </message>
    <message>
        <source>writes what a report of a fault needs as a zip archive</source>
        <translation>把报告故障所需的内容写成 zip 文件</translation>
    </message>
    <message>
        <source>keeps paths, addresses, and the names of users and hosts in the bundle</source>
        <translation>在文件中保留路径、地址以及用户名和主机名</translation>
    </message>
    <message>
        <source>lockstep doctor [--json] [--bundle FILE]: what this machine has, tested rather than assumed</source>
        <translation>lockstep doctor [--json] [--bundle FILE]：实际测试（而非假定）本机具备什么</translation>
    </message>
    <message>
        <source>its key; again for each other revision</source>
        <translation>实验的答案；其他修订版可再次给出</translation>
    </message>
    <message>
        <source>the LMS&apos;s list of students (CSV, xlsx), to be filled in</source>
        <translation>教学平台导出的学生名单（CSV、xlsx），将填入成绩</translation>
    </message>
    <message>
        <source>the roster&apos;s column of student numbers</source>
        <translation>名单中的学号列</translation>
    </message>
    <message>
        <source>the roster&apos;s column for the points</source>
        <translation>名单中的成绩列</translation>
    </message>
    <message>
        <source>the deadline, such as 2026-11-30T23:59, for the roster&apos;s times</source>
        <translation>截止时间，如 2026-11-30T23:59，用于名单中的提交时间</translation>
    </message>
    <message>
        <source>takes what another marker gave; may be repeated</source>
        <translation>合并另一位评分者的评分；可重复</translation>
    </message>
    <message>
        <source>who wrote points and comments into answers.csv</source>
        <translation>在 answers.csv 中评分的人</translation>
    </message>
    <message>
        <source>answers with names instead of codes</source>
        <translation>答案显示姓名而非代号</translation>
    </message>
    <message>
        <source>a file a student: html (standard), pdf or none</source>
        <translation>每名学生一个文件：html（默认）、pdf 或 none</translation>
    </message>
    <message>
        <source>runs students&apos; code in a sandbox (standard), or none</source>
        <translation>在沙盒中运行学生的代码（标准），或 none</translation>
    </message>
    <message>
        <source>the folder of the results; without it `marks`</source>
        <translation>结果文件夹；默认为 `marks`</translation>
    </message>
    <message>
        <source>number</source>
        <translation>学号</translation>
    </message>
    <message>
        <source>points</source>
        <translation>得分</translation>
    </message>
    <message>
        <source>of</source>
        <translation>满分</translation>
    </message>
    <message>
        <source>to mark</source>
        <translation>待评</translation>
    </message>
    <message>
        <source>late</source>
        <translation>迟交</translation>
    </message>
    <message>
        <source>files that are no hand-ins: %1</source>
        <translation>不是提交的文件数：%1</translation>
    </message>
    <message>
        <source>the laboratory: a folder, a .lab, or the id of one of the program&apos;s</source>
        <translation>实验：文件夹、.lab 文件，或程序自带实验的标识</translation>
    </message>
    <message>
        <source>the code step; not needed where the laboratory has one</source>
        <translation>编程步骤；实验只有一个时可省略</translation>
    </message>
    <message>
        <source>lockstep lab try FILE --lab LAB [--step STEP]: checks the code of a step; exit code 0 for right, 1 for wrong</source>
        <translation>lockstep lab try FILE --lab LAB [--step STEP]：检查编程步骤的代码；正确时退出码为 0，错误时为 1</translation>
    </message>
    <message>
        <source>also writes the page of lockstep-rank, which is this program</source>
        <translation>同时写出 lockstep-rank 的手册页，FILE 即该程序</translation>
    </message>
    <message>
        <source>those of lockstep-rank, which is this program</source>
        <translation>改为 lockstep-rank 的补全，FILE 即该程序</translation>
    </message>
    <message>
        <source>lockstep man [--out DIR] [--rank FILE]: writes the manual pages, made from the verbs</source>
        <translation>lockstep man [--out DIR] [--rank FILE]：由各子命令生成手册页并写入文件夹</translation>
    </message>
    <message>
        <source>lockstep completion bash|zsh|fish: prints the completions for this shell, such as for ~/.local/share/bash-completion/completions/lockstep</source>
        <translation>lockstep completion bash|zsh|fish：输出此 shell 的补全脚本，例如写入 ~/.local/share/bash-completion/completions/lockstep</translation>
    </message>
    <message>
        <source>sandbox</source>
        <translation>沙箱</translation>
    </message>
    <message>
        <source>adds the menu entry, the icon and the file types</source>
        <translation>添加菜单项、图标和文件类型</translation>
    </message>
    <message>
        <source>removes them</source>
        <translation>移除它们</translation>
    </message>
    <message>
        <source>lockstep desktop --install|--remove: the workbench in the menu of this user&apos;s desktop</source>
        <translation>lockstep desktop --install|--remove：在本用户的桌面菜单中添加或移除工作台</translation>
    </message>
    <message>
        <source>Right.</source>
        <translation>正确。</translation>
    </message>
    <message>
        <source>Right: %1.</source>
        <translation>正确：%1。</translation>
    </message>
    <message>
        <source>Wrong, line %1: %2</source>
        <translation>错误，第 %1 行：%2</translation>
    </message>
    <message>
        <source>Wrong: %1</source>
        <translation>错误：%1</translation>
    </message>
    <message>
        <source>Known mistake: %1</source>
        <translation>常见错误：%1</translation>
    </message>
    <message>
        <source>Known mistake: %1 (%2)</source>
        <translation>常见错误：%1（%2）</translation>
    </message>
    <message>
        <source>runs again: runs by id, or all of a student by number; a list</source>
        <translation>重新运行：按编号的运行，或某学号的全部运行；可列多个</translation>
    </message>
    <message>
        <source>%1: key: %2</source>
        <translation>%1：答案：%2</translation>
    </message>
    <message>
        <source>the experiment step</source>
        <translation>运行步骤</translation>
    </message>
    <message>
        <source>the work that was begun; without it the one on this laboratory</source>
        <translation>已开始的作业；不给出时为该实验的作业</translation>
    </message>
    <message>
        <source>for its author: without work and without its predictions</source>
        <translation>供作者试运行：不需要作业，也不需要预测</translation>
    </message>
    <message>
        <source>the laboratory, a file or an id; again for each other revision</source>
        <translation>实验，文件或标识符；其他修订版可重复给出</translation>
    </message>
    <message>
        <source>runs COUNT finished runs again, drawn at random</source>
        <translation>重新运行随机抽取的若干个已完成的运行</translation>
    </message>
    <message>
        <source>lockstep grade FOLDER|ZIP --lab LAB --key FILE [--roster FILE] [--out DIR]: marks the hand-ins of a class

Exit codes: 0 all are marked, 1 some could not be read, 2 bad input.</source>
        <translation>lockstep grade FOLDER|ZIP --lab LAB --key FILE [--roster FILE] [--out DIR]：为全班的提交文件评分

退出码：0 全部评分，1 有些无法读取，2 输入有误。</translation>
    </message>
    <message>
        <source>to look at: %1</source>
        <translation>值得查看：%1</translation>
    </message>
    <message>
        <source>the student&apos;s number: begins the work where there is none; of --preview without it 0</source>
        <translation>学生的学号：没有作业时以此开始；--preview 不给出时为 0</translation>
    </message>
    <message>
        <source>the student&apos;s name, of work that is begun</source>
        <translation>学生姓名，用于新开始的作业</translation>
    </message>
    <message>
        <source>lockstep lab run LAB --step STEP [--number NUMBER] [--set KEY=VALUE] [--preview]: runs an experiment step as the window does</source>
        <translation>lockstep lab run LAB --step STEP [--number NUMBER] [--set KEY=VALUE] [--preview]：像窗口中那样运行一个实验步骤</translation>
    </message>
    <message>
        <source>The laboratory hides the findings until the questions about these runs are sealed.</source>
        <translation>在关于这些运行的问题全部封存之前，实验不显示发现。</translation>
    </message>
</context>
<context>
    <name>CommunicationCharts</name>
    <message>
        <source>Error bars of single runs: 95 % CI over their blocks of steps</source>
        <translation>单次运行的误差线：按步数分块所得的 95% 置信区间</translation>
    </message>
    <message>
        <source>%1, model</source>
        <translation>%1，模型</translation>
    </message>
    <message>
        <source>%1 → %2</source>
        <translation>%1 → %2</translation>
    </message>
    <message>
        <source>With several hosts, &quot;communicate&quot; is the part of the communication that is not between hosts</source>
        <translation>跨多台主机的通信中，“通信”是不在主机之间的那部分</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>大小</translation>
    </message>
    <message>
        <source>between hosts</source>
        <translation>主机之间</translation>
    </message>
    <message>
        <source>bytes</source>
        <translation>字节</translation>
    </message>
    <message>
        <source>communicate</source>
        <translation>通信</translation>
    </message>
    <message>
        <source>wait</source>
        <translation>等待</translation>
    </message>
    <message>
        <source>%1 (n = %2)</source>
        <translation>%1（n = %2）</translation>
    </message>
    <message>
        <source>Error bars: 95 % CI over repeats</source>
        <translation>误差线：多次重复的 95% 置信区间</translation>
    </message>
    <message>
        <source>compute</source>
        <translation>计算</translation>
    </message>
    <message>
        <source>optimize</source>
        <translation>更新</translation>
    </message>
    <message>
        <source>Median, band up to the 99th percentile; dashed: alpha-beta model</source>
        <translation>中位数，色带到第 99 百分位；虚线：alpha-beta 模型</translation>
    </message>
    <message>
        <source>overlap %1 %</source>
        <translation>重叠 %1 %</translation>
    </message>
    <message>
        <source>Overlap: share of the communication time that lies within backward; not drawn</source>
        <translation>重叠：通信时间中落在反向传播之内的比例，图中未画出</translation>
    </message>
    <message>
        <source>%1 groups of %2</source>
        <translation>%1 组，每组 %2 个</translation>
    </message>
    <message>
        <source>asynchronous</source>
        <translation>异步</translation>
    </message>
    <message>
        <source>root %1</source>
        <translation>根 rank %1</translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <comment>run, how its calls are made</comment>
        <translation>%1（%2）</translation>
    </message>
    <message>
        <source>Median, band up to the 99th percentile; dashed: alpha-beta model, which does not apply beyond this machine</source>
        <translation>中位数，色带到第 99 百分位；虚线：alpha-beta 模型，不适用于本机之外</translation>
    </message>
    <message>
        <source>delay of the slow rank</source>
        <translation>慢 rank 的延迟</translation>
    </message>
</context>
<context>
    <name>Confirmation</name>
    <message>
        <source>Starts the program: %1</source>
        <translation>启动程序：%1</translation>
    </message>
    <message>
        <source>Writes checkpoints to: %1</source>
        <translation>将检查点写入：%1</translation>
    </message>
    <message>
        <source>Resumes from: %1</source>
        <translation>从检查点恢复：%1</translation>
    </message>
    <message>
        <source>Confirm what this experiment does</source>
        <translation>确认此实验的操作</translation>
    </message>
    <message>
        <source>Start only programs that you trust: a program can do everything that you can.</source>
        <translation>只启动您信任的程序：程序拥有与您相同的权限。</translation>
    </message>
    <message>
        <source>Start</source>
        <translation>启动</translation>
    </message>
    <message>
        <source>Starts the program, whose files have changed since you confirmed it: %1</source>
        <translation>启动程序（其文件在您确认之后有改动）：%1</translation>
    </message>
    <message>
        <source>Starts the program: %1. It will not be noticed if the module %2 changes.</source>
        <translation>启动程序：%1。模块 %2 的改动不会被发现。</translation>
    </message>
</context>
<context>
    <name>DataTable</name>
    <message>
        <source>Data: %1</source>
        <translation>数据：%1</translation>
    </message>
    <message>
        <source>%1, not smoothed</source>
        <translation>%1（未平滑）</translation>
    </message>
    <message>
        <source>lower end</source>
        <translation>下限</translation>
    </message>
    <message>
        <source>upper end</source>
        <translation>上限</translation>
    </message>
    <message>
        <source>The numbers of the chart, with the curves side by side.</source>
        <translation>图表中的数值，各曲线并列。</translation>
    </message>
</context>
<context>
    <name>ErrorText</name>
    <message>
        <source>%1 (variant %2)</source>
        <translation>%1（变体 %2）</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
</context>
<context>
    <name>ExperimentDocument</name>
    <message>
        <source>Settings of %1</source>
        <translation>%1 的设置</translation>
    </message>
</context>
<context>
    <name>ExperimentTitles</name>
    <message>
        <source>Own experiment</source>
        <translation>自建实验</translation>
    </message>
</context>
<context>
    <name>Figures</name>
    <message>
        <source>Test accuracy</source>
        <translation>测试准确率</translation>
    </message>
    <message>
        <source>Best test accuracy</source>
        <translation>最佳测试准确率</translation>
    </message>
    <message>
        <source>Time per step</source>
        <translation>每步耗时</translation>
    </message>
    <message>
        <source>Throughput</source>
        <translation>吞吐量</translation>
    </message>
    <message>
        <source>samples/s</source>
        <translation>样本/秒</translation>
    </message>
    <message>
        <source>Communication per step</source>
        <translation>每步通信时间</translation>
    </message>
    <message>
        <source>Share of communication</source>
        <translation>通信占比</translation>
    </message>
    <message>
        <source>Sent per rank and step</source>
        <translation>每个 rank 每步发送量</translation>
    </message>
    <message>
        <source>Peak memory per rank</source>
        <translation>每个 rank 的峰值内存</translation>
    </message>
    <message>
        <source>Mean loss of the last step&apos;s batch.</source>
        <translation>最后一步所用批次的平均损失。</translation>
    </message>
    <message>
        <source>Lowest batch loss</source>
        <translation>最低批次损失</translation>
    </message>
    <message>
        <source>The lowest batch loss of any step.</source>
        <translation>所有步中最低的批次损失。</translation>
    </message>
    <message>
        <source>Training loss</source>
        <translation>训练损失</translation>
    </message>
    <message>
        <source>Mean loss on the first 10,000 training samples at the last evaluation.</source>
        <translation>最后一次评估时，训练集前 10,000 个样本上的平均损失。</translation>
    </message>
    <message>
        <source>Share of the test set that the last evaluation classified correctly.</source>
        <translation>最后一次评估中测试集分类正确的比例。</translation>
    </message>
    <message>
        <source>The highest accuracy of any evaluation on the test set.</source>
        <translation>各次评估中测试集的最高准确率。</translation>
    </message>
    <message>
        <source>Mean time per step</source>
        <translation>每步平均时间</translation>
    </message>
    <message>
        <source>Mean after 10 warm-up steps, without evaluation and pauses. A single stall changes it.</source>
        <translation>10 个预热步之后的平均值，不含评估和暂停；一次停顿就会使它改变。</translation>
    </message>
    <message>
        <source>Mean throughput</source>
        <translation>平均吞吐量</translation>
    </message>
    <message>
        <source>Training samples per second of all ranks, mean over all steps after the warm-up.</source>
        <translation>所有 rank 每秒训练的样本数，预热之后所有步的平均值。</translation>
    </message>
    <message>
        <source>Training samples per second of all ranks: geometric mean over blocks of steps, without those in which a run stalled.</source>
        <translation>所有 rank 每秒训练的样本数：按步块计算的几何平均值，不计某次运行停顿的步块。</translation>
    </message>
    <message>
        <source>Steps done</source>
        <translation>完成的步数</translation>
    </message>
    <message>
        <source>Number of training steps done.</source>
        <translation>已完成的训练步数。</translation>
    </message>
    <message>
        <source>Mean communication per step</source>
        <translation>每步平均通信时间</translation>
    </message>
    <message>
        <source>Part of the mean time per step; includes waiting where it cannot be told apart.</source>
        <translation>每步平均时间中的通信部分；无法区分时包含等待时间。</translation>
    </message>
    <message>
        <source>Mean waiting per step</source>
        <translation>每步平均等待时间</translation>
    </message>
    <message>
        <source>Part of the mean time per step in which a rank waits for others.</source>
        <translation>每步平均时间中等待其他 rank 的部分。</translation>
    </message>
    <message>
        <source>Part of the time per step, mean over ranks; includes waiting where it cannot be told apart.</source>
        <translation>每步耗时中的通信部分，各 rank 的平均值；无法区分时包含等待时间。</translation>
    </message>
    <message>
        <source>Waiting per step</source>
        <translation>每步等待时间</translation>
    </message>
    <message>
        <source>Part of the time per step in which a rank waits for others, mean over ranks.</source>
        <translation>每步耗时中等待其他 rank 的部分，各 rank 的平均值。</translation>
    </message>
    <message>
        <source>Communication between hosts per step</source>
        <translation>每步主机间通信时间</translation>
    </message>
    <message>
        <source>The part of the communication that is between hosts, where the backend reports it.</source>
        <translation>通信中主机之间的部分，仅当后端报告时才有。</translation>
    </message>
    <message>
        <source>Share of communication and waiting</source>
        <translation>通信与等待占比</translation>
    </message>
    <message>
        <source>Bytes sent by one rank in a step, mean.</source>
        <translation>单个 rank 每步发送的平均字节数。</translation>
    </message>
    <message>
        <source>Time to the first loss</source>
        <translation>首个损失的用时</translation>
    </message>
    <message>
        <source>From the start of Lockstep.</source>
        <translation>从 Lockstep 启动算起。</translation>
    </message>
    <message>
        <source>Difference from a single process</source>
        <translation>与单进程之差</translation>
    </message>
    <message>
        <source>Largest relative difference of the losses from those of a single process.</source>
        <translation>损失与单进程运行之间的最大相对差。</translation>
    </message>
    <message>
        <source>Label skew</source>
        <translation>标签偏斜</translation>
    </message>
    <message>
        <source>How much the labels of the ranks&apos; shares differ from those of the whole set: 0 to 1.</source>
        <translation>各 rank 数据的标签分布与整个数据集相差多少：0 到 1。</translation>
    </message>
    <message>
        <source>steps</source>
        <translation>步</translation>
    </message>
    <message>
        <source>Mean staleness</source>
        <translation>平均陈旧度</translation>
    </message>
    <message>
        <source>Mean age of the gradients that an asynchronous server applied.</source>
        <translation>异步服务器所用梯度的平均陈旧度。</translation>
    </message>
    <message>
        <source>Largest staleness</source>
        <translation>最大陈旧度</translation>
    </message>
    <message>
        <source>The age of the oldest gradient that an asynchronous server applied.</source>
        <translation>异步服务器所用的最陈旧梯度的陈旧度。</translation>
    </message>
    <message>
        <source>Overlap</source>
        <translation>重叠率</translation>
    </message>
    <message>
        <source>Share of the communication that overlapped with the backward pass.</source>
        <translation>与反向传播重叠的通信所占的比例。</translation>
    </message>
    <message>
        <source>Exposed communication per step</source>
        <translation>每步未重叠的通信</translation>
    </message>
    <message>
        <source>Communication and waiting that no computation overlapped; mean over ranks.</source>
        <translation>没有与计算重叠的通信与等待；各 rank 的平均值。</translation>
    </message>
    <message>
        <source>Communication on the critical path</source>
        <translation>关键路径上的通信</translation>
    </message>
    <message>
        <source>Mean time per step that communication takes on the critical path.</source>
        <translation>每步的关键路径中通信所占的时间，平均值。</translation>
    </message>
    <message>
        <source>Largest share of the critical path</source>
        <translation>关键路径的最大占比</translation>
    </message>
    <message>
        <source>Share of the critical path&apos;s time spent on the rank that takes up most of it.</source>
        <translation>关键路径的时间中，占用最多的 rank 所占的比例。</translation>
    </message>
    <message>
        <source>Pipeline bubble</source>
        <translation>流水线气泡</translation>
    </message>
    <message>
        <source>Share of a pipeline&apos;s time in which stages are idle.</source>
        <translation>流水线中各阶段空闲时间所占的比例。</translation>
    </message>
    <message>
        <source>Start-up time</source>
        <translation>启动时间</translation>
    </message>
    <message>
        <source>From the start of the rank processes to the first step.</source>
        <translation>从启动 rank 进程到第一步开始。</translation>
    </message>
    <message>
        <source>Waiting for a core</source>
        <translation>等待核心</translation>
    </message>
    <message>
        <source>Share of the time in which the ranks could run that they waited for a core.</source>
        <translation>各 rank 可以运行的时间里，等待核心所占的比例。</translation>
    </message>
    <message>
        <source>Waiting for a core that other work used</source>
        <translation>等待被其他工作占用的核心</translation>
    </message>
    <message>
        <source>Share of the time in which the ranks could run that they waited for a core that other programs used. From 10 % on the machine counts as busy.</source>
        <translation>各 rank 可以运行的时间里，等待被其他程序占用的核心所占的比例。达到 10 % 时视为机器繁忙。</translation>
    </message>
    <message>
        <source>Cores used</source>
        <translation>占用的核心数</translation>
    </message>
    <message>
        <source>How many cores all ranks together kept busy, mean.</source>
        <translation>所有 rank 合计平均占用多少个核心。</translation>
    </message>
    <message>
        <source>The most memory that tensors of one rank took at any time; the largest of all ranks.</source>
        <translation>单个 rank 的张量在任一时刻占用的最大内存；取各 rank 中的最大值。</translation>
    </message>
    <message>
        <source>Last batch loss</source>
        <translation>最后一个批次的损失</translation>
    </message>
    <message>
        <source>Geometric mean over blocks of steps after 10 warm-up steps, without those in which a run stalled.</source>
        <translation>前 10 步预热之后各段的几何均值，不含有运行停顿的段。</translation>
    </message>
    <message>
        <source>Test loss</source>
        <translation>测试损失</translation>
    </message>
    <message>
        <source>Memory of states per rank</source>
        <translation>每个 rank 的状态内存</translation>
    </message>
    <message>
        <source>Parameters, gradients and optimizer state that one rank keeps after a step; the largest of all ranks.</source>
        <translation>一步之后一个 rank 保存的参数、梯度和优化器状态；取所有 rank 中的最大值。</translation>
    </message>
    <message>
        <source>Time per call</source>
        <translation>每次调用耗时</translation>
    </message>
    <message>
        <source>Mean share of communication</source>
        <translation>平均通信占比</translation>
    </message>
    <message>
        <source>Communication as a share of the mean time per step, without waiting.</source>
        <translation>通信占平均每步耗时的比例，不含等待。</translation>
    </message>
    <message>
        <source>Communication per step over the time per step, without waiting.</source>
        <translation>每步通信时间除以每步耗时，不含等待。</translation>
    </message>
    <message>
        <source>Communication and waiting per step over the time per step.</source>
        <translation>每步通信与等待时间除以每步耗时。</translation>
    </message>
    <message>
        <source>Mean share of communication and waiting</source>
        <translation>平均通信与等待占比</translation>
    </message>
    <message>
        <source>Communication and waiting for other ranks as a share of the mean time per step; GPT-NeoX and DeepSpeed call it %comms.</source>
        <translation>通信以及等待其他 rank 占平均每步耗时的比例；GPT-NeoX 和 DeepSpeed 称之为 %comms。</translation>
    </message>
    <message>
        <source>Training and evaluation time</source>
        <translation>训练与评估时间</translation>
    </message>
    <message>
        <source>From the start of the first step to the end of the last, evaluations included, without pauses.</source>
        <translation>从第一步开始到最后一步结束，含评估，不含暂停。</translation>
    </message>
    <message>
        <source>Batch loss</source>
        <translation>批次损失</translation>
    </message>
</context>
<context>
    <name>Findings</name>
    <message>
        <source>Each variant ran once, so small differences may be chance. Add repeats to get confidence intervals.</source>
        <translation>每个变体只运行了一次，小的差别可能是偶然。增加重复次数可以得到置信区间。</translation>
    </message>
    <message>
        <source>%1 learns as a single process does: the losses agree to within %2.</source>
        <translation>%1 与单进程的学习过程一致：损失的相对差不超过 %2。</translation>
    </message>
    <message>
        <source>%1 gave WRONG results: %2 elements differ from the expected values.</source>
        <translation>%1 的结果有错误：%2 个元素与预期值不符。</translation>
    </message>
    <message>
        <source>The shares of %1 (seed %2) were redrawn %3 times until every rank had at least one batch.</source>
        <translation>%1（种子 %2）的份额重新抽取了 %3 次，直到每个 rank 至少有一个批次。</translation>
    </message>
    <message>
        <source>set_epoch is not called in %1: each rank draws the same samples in every epoch, and some never.</source>
        <translation>%1 没有调用 set_epoch：每个 rank 每一轮都抽到相同的样本，有些样本始终用不到。</translation>
    </message>
    <message>
        <source>In %1 the root is rank %2.</source>
        <translation>%1 中，根是 rank %2。</translation>
    </message>
    <message>
        <source>%1 cannot be compared with a single process: some of the losses are not finite numbers.</source>
        <translation>%1 无法与单进程比较：有些损失不是有限的数。</translation>
    </message>
    <message>
        <source>Whether %1 or %2 changes the test accuracy more cannot be told from one seed. Add repeats to get confidence intervals.</source>
        <translation>只有一个随机种子，无法判断 %1 与 %2 哪个对测试准确率的影响更大。增加重复次数可以得到置信区间。</translation>
    </message>
    <message>
        <source>%1 gave a WRONG result: one element differs from the expected value.</source>
        <translation>%1 的结果有误：有一个元素与预期值不同。</translation>
    </message>
    <message>
        <source>The shares of %1 (seed %2) were redrawn once: then every rank had at least one batch.</source>
        <translation>%1（种子 %2）的份额重新抽取了一次，此后每个 rank 至少有一个批次。</translation>
    </message>
    <message>
        <source>Extrapolated to more such hosts (ranks on each: %1), the model predicts no number of ranks to be faster than one process.</source>
        <translation>外推到更多同类主机（每台 %1 个 rank）时，模型预测任何 rank 数都不比单进程快。</translation>
    </message>
    <message>
        <source>Extrapolated to more such hosts (ranks on each: %1), the model predicts nothing faster than %3 ranks.</source>
        <translation>外推到更多同类主机（每台 %1 个 rank）时，模型预测没有比 %3 个 rank 更快的。</translation>
    </message>
    <message>
        <source>Did not learn: %1. The training loss stayed near %2, that of guessing.</source>
        <translation>未能学习：%1。训练损失始终在 %2 左右，与随机猜测相当。</translation>
    </message>
    <message>
        <source>%1 against %2: no difference worth naming in any of the %3 other variants.</source>
        <translation>%1，与 %2 相比：其余 %3 个变体都没有明显差异。</translation>
    </message>
    <message>
        <source>%1 against %2: a difference cannot be told in any of the %3 other variants.</source>
        <translation>%1，与 %2 相比：其余 %3 个变体是否有差异，无法判断。</translation>
    </message>
    <message>
        <source>%1 against %2: %3.</source>
        <translation>%1，与 %2 相比：%3。</translation>
    </message>
    <message>
        <source>%1 hardly depends on %2: no difference worth naming from %3 (%4) to %5 (%6).</source>
        <translation>%1几乎不随%2变化：从 %3（%4）到 %5（%6），没有明显差异。</translation>
    </message>
    <message>
        <source>%1: highest with %2, %3; %4 is %5 points lower.</source>
        <translation>%1：%2 最高，为 %3；%4 低 %5 个百分点。</translation>
    </message>
    <message>
        <source>%1: highest with %2, %3; %4 has %5 times that.</source>
        <translation>%1：%2 最高，为 %3；%4 为其 %5 倍。</translation>
    </message>
    <message>
        <source>%1: lowest with %2, %3; %4 has %5 times that.</source>
        <translation>%1：%2 最低，为 %3；%4 为其 %5 倍。</translation>
    </message>
    <message>
        <source>%1: best is %2 (%3), then %4 (%5), each in one run: that may be chance.</source>
        <translation>%1：%2 最好，为 %3，其次是 %4，为 %5；各只运行一次，可能出于偶然。</translation>
    </message>
    <message>
        <source>%1: no difference worth naming between the %2 variants (%3).</source>
        <translation>%1：%2 个变体之间没有明显差异（%3）。</translation>
    </message>
    <message>
        <source>%1: which of the %2 variants is best cannot be told (%3).</source>
        <translation>%1：%2 个变体中哪个最好，无法判断（%3）。</translation>
    </message>
    <message>
        <source>Measured on a busy machine.</source>
        <translation>测量时机器繁忙。</translation>
    </message>
    <message>
        <source>Whether %1 or %2 changes the training loss more cannot be told from one seed. Add repeats to get confidence intervals.</source>
        <translation>只有一个随机种子，无法判断 %1 与 %2 哪个对训练损失的影响更大。增加重复次数可以得到置信区间。</translation>
    </message>
    <message>
        <source>Whether %1 or %2 changes the loss of the last batch more cannot be told from one seed. Add repeats to get confidence intervals.</source>
        <translation>只有一个随机种子，无法判断 %1 与 %2 哪个对最后一个批次的损失的影响更大。增加重复次数可以得到置信区间。</translation>
    </message>
    <message>
        <source>both agree to within 10 %</source>
        <translation>两者相差不超过 10 %</translation>
    </message>
    <message>
        <source>the prediction is too optimistic</source>
        <translation>预测过于乐观</translation>
    </message>
    <message>
        <source>the prediction is too pessimistic</source>
        <translation>预测过于悲观</translation>
    </message>
    <message>
        <source>whether both agree cannot be told</source>
        <translation>无法判断两者是否相符</translation>
    </message>
    <message>
        <source>Extrapolated to more such hosts (ranks on each: %1), the model predicts at most %2 ×, at %3 ranks. Nothing was measured beyond %4 ranks.</source>
        <translation>外推到更多同类主机（每台 %1 个 rank）时，模型预测最多 %2 ×，在 %3 个 rank 时达到。超过 %4 个 rank 没有实测。</translation>
    </message>
    <message>
        <source>%1 continues another run after step %2. Its checkpoint does not say how long the steps before took, so the run&apos;s seconds are unknown.</source>
        <translation>%1 从另一次运行的第 %2 步之后继续。其检查点没有记录之前各步所用的时间，因此该运行的秒数未知。</translation>
    </message>
    <message>
        <source>%1 runs of 1 variant</source>
        <translation>1 个变体的 %1 次运行</translation>
    </message>
    <message>
        <source>%1 runs of %2 variants</source>
        <translation>%2 个变体的 %1 次运行</translation>
    </message>
    <message>
        <source>not ended yet</source>
        <translation>尚未结束</translation>
    </message>
    <message>
        <source>not finished</source>
        <translation>未完成</translation>
    </message>
    <message>
        <source>changed by hand</source>
        <translation>有人工干预</translation>
    </message>
    <message>
        <source>no runs</source>
        <translation>没有运行</translation>
    </message>
    <message>
        <source>1 run</source>
        <translation>1 次运行</translation>
    </message>
    <message>
        <source>, </source>
        <translation>、</translation>
    </message>
    <message>
        <source>%1, %2 left out (%3)</source>
        <translation>%1，其中 %2 次不计入（%3）</translation>
    </message>
    <message>
        <source>Only %1 has runs that count: nothing can be compared.</source>
        <translation>只有 %1 有可计入的运行，无法比较。</translation>
    </message>
    <message>
        <source>%1 against %2: from one run each, no difference can be told.</source>
        <translation>%1，与 %2 相比：各只运行了一次，无法判断有无差异。</translation>
    </message>
    <message>
        <source>Whether %1 depends on %2 cannot be told: %4 at %3, %6 at %5.</source>
        <translation>%1是否随%2变化，无法判断：取 %3 时为 %4，取 %5 时为 %6。</translation>
    </message>
    <message>
        <source>%1 falls as %2 rises, from %4 at %3 to %6 at %5: best is %7.</source>
        <translation>%1随%2增大而下降，从取 %3 时的 %4 到取 %5 时的 %6：%7 最好。</translation>
    </message>
    <message>
        <source>%1 rises with %2, from %4 at %3 to %6 at %5: best is %7.</source>
        <translation>%1随%2增大而上升，从取 %3 时的 %4 到取 %5 时的 %6：%7 最好。</translation>
    </message>
    <message>
        <source>%1 is highest with %9, at %2 %3 (%4); %6 at %5, %8 at %7.</source>
        <translation>%1以 %9 为最高，%2为 %3（%4）；取 %5 时为 %6，取 %7 时为 %8。</translation>
    </message>
    <message>
        <source>%1 is lowest with %9, at %2 %3 (%4); %6 at %5, %8 at %7.</source>
        <translation>%1以 %9 为最低，%2为 %3（%4）；取 %5 时为 %6，取 %7 时为 %8。</translation>
    </message>
    <message>
        <source>%1: no difference worth naming between %2 (%3) and %4 (%5).</source>
        <translation>%1：%2（%3）与 %4（%5）之间没有明显差异。</translation>
    </message>
    <message>
        <source>%1: whether %2 (%3) or %4 (%5) is better cannot be told.</source>
        <translation>%1：%2（%3）与 %4（%5）哪个更好，无法判断。</translation>
    </message>
    <message>
        <source>Diverged: %1. The training loss grew without bound, or became infinite or NaN.</source>
        <translation>发散：%1。训练损失不断增大，或变为无穷大或 NaN。</translation>
    </message>
    <message>
        <source>Rank %1 is slow: in %2 the other ranks wait for it, typically %3 of a step or more.</source>
        <translation>rank %1 较慢：在 %2 中其他 rank 通常每步至少用 %3 的时间等待它。</translation>
    </message>
    <message>
        <source>Ran more than once with one seed, of which only the newest run counts: %1.</source>
        <translation>以同一随机种子运行了多次，只有最新的一次计入：%1。</translation>
    </message>
    <message>
        <source>%1 against %2, in points: %3.</source>
        <translation>%1，与 %2 相比（百分点）：%3。</translation>
    </message>
    <message>
        <source>%1 falls as %2 rises, from %4 at %3 to %6 at %5; best mean: %7.</source>
        <translation>%1随%2增大而下降，从取 %3 时的 %4 到取 %5 时的 %6；均值最好的是 %7。</translation>
    </message>
    <message>
        <source>%1 rises with %2, from %4 at %3 to %6 at %5; best mean: %7.</source>
        <translation>%1随%2增大而上升，从取 %3 时的 %4 到取 %5 时的 %6；均值最好的是 %7。</translation>
    </message>
    <message>
        <source>%1 depends most on %2: from %7 with %6 to %9 with %8. %4 changes it by up to %5 points.</source>
        <translation>%1受%2影响最大：%6 为 %7，%8 为 %9。%4最多使其变化 %5 个百分点。</translation>
    </message>
    <message>
        <source>%1 depends most on %2: from %7 with %6 to %9 with %8. %4 changes it by up to %5.</source>
        <translation>%1受%2影响最大：%6 为 %7，%8 为 %9。%4最多使其变化 %5。</translation>
    </message>
    <message>
        <source>%1 depends most on %2: it rises from %7 at %6 to %9 at %8. %4 changes it by up to %5 points.</source>
        <translation>%1受%2影响最大：从取 %6 时的 %7 上升到取 %8 时的 %9。%4最多使其变化 %5 个百分点。</translation>
    </message>
    <message>
        <source>%1 depends most on %2: it rises from %7 at %6 to %9 at %8. %4 changes it by up to %5.</source>
        <translation>%1受%2影响最大：从取 %6 时的 %7 上升到取 %8 时的 %9。%4最多使其变化 %5。</translation>
    </message>
    <message>
        <source>%1 depends most on %2: it falls from %7 at %6 to %9 at %8. %4 changes it by up to %5 points.</source>
        <translation>%1受%2影响最大：从取 %6 时的 %7 下降到取 %8 时的 %9。%4最多使其变化 %5 个百分点。</translation>
    </message>
    <message>
        <source>%1 depends most on %2: it falls from %7 at %6 to %9 at %8. %4 changes it by up to %5.</source>
        <translation>%1受%2影响最大：从取 %6 时的 %7 下降到取 %8 时的 %9。%4最多使其变化 %5。</translation>
    </message>
    <message>
        <source>What do more ranks gain?</source>
        <translation>增加 rank 能带来多少收益？</translation>
    </message>
    <message>
        <source>What does each strategy cost, and what does it gain?</source>
        <translation>各种策略的代价与收益各是多少？</translation>
    </message>
    <message>
        <source>Which value of %1 is best?</source>
        <translation>%1取何值最好？</translation>
    </message>
    <message>
        <source>Which choice of %1 is best?</source>
        <translation>%1选哪一项最好？</translation>
    </message>
    <message>
        <source>Which variant is best?</source>
        <translation>哪个变体最好？</translation>
    </message>
    <message>
        <source>About %1 more repeats may tell.</source>
        <translation>再重复约 %1 次也许可以判断。</translation>
    </message>
    <message>
        <source>Which spends the least time communicating cannot be told.</source>
        <translation>哪个的通信时间最短，无法判断。</translation>
    </message>
    <message>
        <source>Variant</source>
        <translation>变体</translation>
    </message>
    <message>
        <source>Communicating and waiting per step (ms)</source>
        <translation>每步通信与等待（ms）</translation>
    </message>
    <message>
        <source>Predicted time for %1 on %2 ranks, at %3 µs per message and %4 GB/s.</source>
        <translation>%2 个 rank 上 %1 的预测用时，按每条消息 %3 µs、带宽 %4 GB/s 计算。</translation>
    </message>
    <message>
        <source>Predicted time for %1 on %2 ranks, at %3 µs per message and %4 GB/s. Below %5 the model predicts %6 to be faster than %7.</source>
        <translation>%2 个 rank 上 %1 的预测用时，按每条消息 %3 µs、带宽 %4 GB/s 计算。小于 %5 时，模型预测 %6 快于 %7。</translation>
    </message>
    <message>
        <source>Algorithm</source>
        <translation>算法</translation>
    </message>
    <message>
        <source>Predicted time (ms)</source>
        <translation>预测用时（ms）</translation>
    </message>
    <message>
        <source>The losses of %1 and %2 differ by up to %3. The sum over %4 ranks is %4 times the mean, as if the learning rate were %5 instead of %6. A learning rate of %7 would give the same curve.</source>
        <translation>%1 与 %2 的损失最多相差 %3。%4 个 rank 的和是均值的 %4 倍，相当于学习率为 %5 而不是 %6。把学习率设为 %7 就会得到相同的曲线。</translation>
    </message>
    <message>
        <source>The losses of %1 and %2 differ by up to %3. The sum over %4 ranks is %4 times the mean, as if the outer learning rate were %5 instead of %6. An outer learning rate of %7 would give the same curve.</source>
        <translation>%1 与 %2 的损失最多相差 %3。%4 个 rank 的和是均值的 %4 倍，相当于外层学习率为 %5 而不是 %6。把外层学习率设为 %7 就会得到相同的曲线。</translation>
    </message>
    <message>
        <source>The losses of %1 and %2 differ by up to %3. The sum over %4 ranks is %4 times the mean. With this optimizer, clipping or weight decay no learning rate makes up for that exactly.</source>
        <translation>%1 与 %2 的损失最多相差 %3。%4 个 rank 的和是均值的 %4 倍。在这种优化器、梯度裁剪或权重衰减下，没有哪个学习率能与之完全等效。</translation>
    </message>
    <message>
        <source>%1 trims no rank: a share of %2 of %3 ranks is less than one rank. Its trimmed mean is the mean.</source>
        <translation>%1 没有截去任何 rank：%3 个 rank 的 %2 不足一个。它的截尾均值就是均值。</translation>
    </message>
    <message>
        <source>In %1 the other ranks wait for rank %2. Rank %3 waits %4 ms per step, rank %2 %5 ms. Their transfers take less, %6 and %7 ms.</source>
        <translation>在 %1 中，其他 rank 都在等待 rank %2。rank %3 每步等待 %4 ms，rank %2 等待 %5 ms。两者的传输时间更短，为 %6 和 %7 ms。</translation>
    </message>
    <message>
        <source>In %1 the other ranks wait for rank %2. Rank %3 waits %4 ms per step, rank %2 %5 ms. Their transfers take longer than that, %6 and %7 ms.</source>
        <translation>在 %1 中，其他 rank 都在等待 rank %2。rank %3 每步等待 %4 ms，rank %2 等待 %5 ms。但两者的传输时间更长，为 %6 和 %7 ms。</translation>
    </message>
    <message>
        <source>Over an emulated link (%1 µs, %2) every collective is built from point-to-point messages: this applies to %3.</source>
        <translation>经模拟链路（%1 µs，%2）时，每个集合通信都由点对点消息组成：%3。</translation>
    </message>
    <message>
        <source>%1 did not finish (%2) and is left out.</source>
        <translation>%1 未完成（%2），不计入。</translation>
    </message>
    <message>
        <source>%1 runs of %2 did not finish and are left out. The table of runs says why.</source>
        <translation>%2 有 %1 次运行未完成，不计入。原因见运行记录表。</translation>
    </message>
    <message>
        <source>%1 was changed by hand in several ways and is left out.</source>
        <translation>%1 受到多种人工干预，不计入。</translation>
    </message>
    <message>
        <source>%1 was changed by hand in several ways; it counts as you asked.</source>
        <translation>%1 受到多种人工干预；按您的设置计入。</translation>
    </message>
    <message>
        <source>%1 was paused and is left out.</source>
        <translation>%1 曾被暂停，不计入。</translation>
    </message>
    <message>
        <source>%1 was paused; it counts as you asked.</source>
        <translation>%1 曾被暂停；按您的设置计入。</translation>
    </message>
    <message>
        <source>In %1 a rank was slowed down by hand; the run is left out.</source>
        <translation>%1 中有 rank 被人为减慢；该运行不计入。</translation>
    </message>
    <message>
        <source>In %1 a rank was slowed down by hand; the run counts as you asked.</source>
        <translation>%1 中有 rank 被人为减慢；按您的设置计入该运行。</translation>
    </message>
    <message>
        <source>In %1 the emulated link was changed by hand; the run is left out.</source>
        <translation>%1 的模拟链路受到人工干预；该运行不计入。</translation>
    </message>
    <message>
        <source>In %1 the emulated link was changed by hand; the run counts as you asked.</source>
        <translation>%1 的模拟链路受到人工干预；按您的设置计入该运行。</translation>
    </message>
    <message>
        <source>%1 runs were changed by hand and are left out. The table of runs says how.</source>
        <translation>%1 次运行受到人工干预，不计入。详见运行记录表。</translation>
    </message>
    <message>
        <source>%1 runs were changed by hand; they count as you asked. The table of runs says how.</source>
        <translation>%1 次运行受到人工干预；按您的设置计入。详见运行记录表。</translation>
    </message>
    <message>
        <source>These runs train on %1 different data sets. Losses and accuracies are compared within each of them only.</source>
        <translation>这些运行使用 %1 个不同的数据集。损失和准确率只在同一数据集内比较。</translation>
    </message>
    <message>
        <source>%1 on %2 ranks behaves like messages of %3 µs and %4 GB/s, to within %5.</source>
        <translation>%2 个 rank 上的 %1 相当于每条消息 %3 µs、带宽 %4 GB/s，误差在 %5 以内。</translation>
    </message>
    <message>
        <source>%1 on %2 ranks behaves like messages of %3 µs and %4 GB/s, to within %5. They are of one machine&apos;s shared memory and do not carry over to ranks on several machines.</source>
        <translation>%2 个 rank 上的 %1 相当于每条消息 %3 µs、带宽 %4 GB/s，误差在 %5 以内。这是单机共享内存的数值，不适用于多台机器上的 rank。</translation>
    </message>
    <message>
        <source>%1 on %2 ranks behaves like messages of %3 µs and %4 GB/s between its hosts, to within %5. What each host does in its own memory is part of them.</source>
        <translation>%2 个 rank 上的 %1 相当于主机之间每条消息 %3 µs、带宽 %4 GB/s，误差在 %5 以内。每台主机在自身内存中的操作也包含在内。</translation>
    </message>
    <message>
        <source>%1 on %2 ranks behaves like messages of %3 µs and %4 GB/s, to within %5. They are of processes of one machine and do not carry over to ranks on several machines.</source>
        <translation>%2 个 rank 上的 %1 相当于每条消息 %3 µs、带宽 %4 GB/s，误差在 %5 以内。这是同一台机器上进程之间的数值，不适用于多台机器上的 rank。</translation>
    </message>
    <message>
        <source>In %1, %2 groups of %3 ranks made every call at the same time. Its times are those of the slowest group.</source>
        <translation>%1 中，%2 个各有 %3 个 rank 的组同时进行每次调用。其时间是最慢一组的时间。</translation>
    </message>
    <message>
        <source>In %1 the ranks started their calls without waiting for each. The time of a call runs from the end of the one before it.</source>
        <translation>%1 中，各 rank 发起调用时不逐个等待。一次调用的时间从上一次调用结束算起。</translation>
    </message>
    <message>
        <source>At %1 there is no difference worth naming between %2 and %3, which takes %4 times as long.</source>
        <translation>在 %1 时，%2 与 %3 没有明显差异，后者用时为 %4 倍。</translation>
    </message>
    <message>
        <source>Whether %2 and %3 take different times at %1 cannot be told: %3 takes %4 times as long.</source>
        <translation>在 %1 时，%2 与 %3 用时是否不同，无法判断：%3 用时为 %4 倍。</translation>
    </message>
    <message>
        <source>%1 changes the test accuracy more than %2: by up to %3 points against %4.</source>
        <translation>%1对测试准确率的影响大于%2：最多相差 %3 个百分点，后者为 %4。</translation>
    </message>
    <message>
        <source>Whether %1 or %2 changes the test accuracy more cannot be told: by up to %3 points against %4.</source>
        <translation>%1与%2哪个对测试准确率的影响更大，无法判断：最多相差 %3 个百分点与 %4。</translation>
    </message>
    <message>
        <source>%1 changes the training loss more than %2: by up to %3 against %4.</source>
        <translation>%1对训练损失的影响大于%2：最多相差 %3，后者为 %4。</translation>
    </message>
    <message>
        <source>Whether %1 or %2 changes the training loss more cannot be told: by up to %3 against %4.</source>
        <translation>%1与%2哪个对训练损失的影响更大，无法判断：最多相差 %3与 %4。</translation>
    </message>
    <message>
        <source>%1 changes the loss of the last batch more than %2: by up to %3 against %4.</source>
        <translation>%1对最后一个批次的损失的影响大于%2：最多相差 %3，后者为 %4。</translation>
    </message>
    <message>
        <source>Whether %1 or %2 changes the loss of the last batch more cannot be told: by up to %3 against %4.</source>
        <translation>%1与%2哪个对最后一个批次的损失的影响更大，无法判断：最多相差 %3与 %4。</translation>
    </message>
    <message>
        <source>%1 synchronizes every %2 steps. Each rank sends %3 per step (%4: %5), a step takes %6 ms (%4: %7 ms). The test accuracy is %8 (%4: %9). Some of them ran once: add repeats to see how much of this is chance.</source>
        <translation>%1 每 %2 步同步一次。每个 rank 每步发送 %3（%4：%5），每步耗时 %6 ms（%4：%7 ms）。测试准确率为 %8（%4：%9）。有的只运行了一次：增加重复次数，才能看出有多少是偶然。</translation>
    </message>
    <message>
        <source>%1 synchronizes every %2 steps. Each rank sends %3 per step (%4: %5), a step takes %6 ms (%4: %7 ms). The test accuracies, %8 and %9, cannot be told apart.</source>
        <translation>%1 每 %2 步同步一次。每个 rank 每步发送 %3（%4：%5），每步耗时 %6 ms（%4：%7 ms）。测试准确率 %8 与 %9 无法区分。</translation>
    </message>
    <message>
        <source>%1 synchronizes every %2 steps. Each rank sends %3 per step (%4: %5), a step takes %6 ms (%4: %7 ms). The test accuracies differ: %8 against %9.</source>
        <translation>%1 每 %2 步同步一次。每个 rank 每步发送 %3（%4：%5），每步耗时 %6 ms（%4：%7 ms）。测试准确率不同：%8 与 %9。</translation>
    </message>
    <message>
        <source>Numbers are means over %1 repeats with other seeds; 95 % confidence intervals in brackets.</source>
        <translation>数值为 %1 次重复（随机种子不同）的均值；方括号内为 95 % 置信区间。</translation>
    </message>
    <message>
        <source>Numbers are means over %1 to %2 repeats with other seeds; 95 % confidence intervals in brackets.</source>
        <translation>数值为 %1 至 %2 次重复（随机种子不同）的均值；方括号内为 95 % 置信区间。</translation>
    </message>
    <message>
        <source>Runs took turns: their times are compared in %1 blocks of steps each, on the log scale.</source>
        <translation>各运行轮流执行：各取 %1 段连续的步，在对数尺度上比较耗时。</translation>
    </message>
    <message>
        <source>Steps to a loss are those of the smoothed batch loss; seconds are these steps at the typical time per step.</source>
        <translation>达到某一损失的步数按平滑后的批次损失计算；秒数为这些步数乘以典型的每步耗时。</translation>
    </message>
    <message>
        <source>Waiting of a rank is the median over its steps.</source>
        <translation>rank 的等待时间为其各步的中位数。</translation>
    </message>
    <message>
        <source>The link of a prediction was measured apart from training.</source>
        <translation>预测所用的链路是在训练之外单独测得的。</translation>
    </message>
    <message>
        <source>What each way costs and saves per rank, beside %1.</source>
        <translation>各种方式下每个 rank 的代价与节省，与 %1 相比。</translation>
    </message>
    <message>
        <source>Time per step (ms)</source>
        <translation>每步耗时（ms）</translation>
    </message>
    <message>
        <source>Multiple of the time</source>
        <translation>耗时倍数</translation>
    </message>
    <message>
        <source>Sent per step</source>
        <translation>每步发送量</translation>
    </message>
    <message>
        <source>Multiple of the memory</source>
        <translation>内存倍数</translation>
    </message>
    <message>
        <source>What each variant needs to reach a training loss of %1.</source>
        <translation>各变体把训练损失降到 %1 所需的步数与时间。</translation>
    </message>
    <message>
        <source>Steps</source>
        <translation>步数</translation>
    </message>
    <message>
        <source>Epochs</source>
        <translation>轮数</translation>
    </message>
    <message>
        <source>Seconds</source>
        <translation>秒数</translation>
    </message>
    <message>
        <source>Noise of the batch loss</source>
        <translation>批次损失的波动</translation>
    </message>
    <message>
        <source>Test accuracy</source>
        <translation>测试准确率</translation>
    </message>
    <message>
        <source>The batch loss of %1 scatters most about its trend, by %2; that of %3 least, by %4.</source>
        <translation>批次损失围绕其趋势的波动以 %1 为最大（%2），以 %3 为最小（%4）。</translation>
    </message>
    <message>
        <source>In steps, %1 is the first to reach a loss of %2: %4 needs %3 times as many.</source>
        <translation>按步数算，%1 最先把损失降到 %2：%4 需要 %3 倍的步数。</translation>
    </message>
    <message>
        <source>In seconds, %1 is the first to reach a loss of %2: %4 takes %3 times as long.</source>
        <translation>按时间算，%1 最先把损失降到 %2：%4 需要 %3 倍的时间。</translation>
    </message>
    <message>
        <source>A step of %1 uses the whole training set: %2 takes %3 steps in its time.</source>
        <translation>%1 的一步使用整个训练集：同样的时间里 %2 可以走 %3 步。</translation>
    </message>
    <message>
        <source>Label skew and test accuracy of each partition, in points against %1.</source>
        <translation>各划分方式的标签偏斜与测试准确率，以及与 %1 相差的百分点。</translation>
    </message>
    <message>
        <source>Partition</source>
        <translation>划分方式</translation>
    </message>
    <message>
        <source>Label skew</source>
        <translation>标签偏斜</translation>
    </message>
    <message>
        <source>Points</source>
        <translation>百分点</translation>
    </message>
    <message>
        <source>Within %1 points of the test accuracy of %2 (%3): %4.</source>
        <translation>与 %2 的测试准确率（%3）相差不到 %1 个百分点：%4。</translation>
    </message>
    <message>
        <source>Whether these differ from %1 (%2) in test accuracy cannot be told: %3.</source>
        <translation>以下各项与 %1（%2）的测试准确率是否有差异，无法判断：%3。</translation>
    </message>
    <message>
        <source>Ran once: %2. Add repeats to see how much of the difference from %1 is chance.</source>
        <translation>只运行了一次：%2。增加重复次数，才能看出与 %1 的差异中有多少是偶然。</translation>
    </message>
    <message>
        <source>Whether the accuracy changes with Dirichlet&apos;s alpha cannot be told.</source>
        <translation>准确率是否随狄利克雷分布的 alpha 变化，无法判断。</translation>
    </message>
    <message>
        <source>Accuracy does not rise steadily with Dirichlet&apos;s alpha.</source>
        <translation>准确率并未随狄利克雷分布的 alpha 单调上升。</translation>
    </message>
    <message>
        <source>The larger Dirichlet&apos;s alpha, the more similar the ranks&apos; labels and the more accurate the net.</source>
        <translation>狄利克雷分布的 alpha 越大，各 rank 的标签分布越相似，网络越准确。</translation>
    </message>
    <message>
        <source>The larger Dirichlet&apos;s alpha, the more accurate the net.</source>
        <translation>狄利克雷分布的 alpha 越大，网络越准确。</translation>
    </message>
    <message>
        <source>In %1 the ranks&apos; shares have from %2 to %3 samples. Smaller ones repeat samples until all ranks have equally many.</source>
        <translation>在 %1 中，各 rank 的份额有 %2 至 %3 个样本。较小的份额重复样本，直到各 rank 的样本数相同。</translation>
    </message>
    <message>
        <source>In %1 the ranks&apos; shares have from %2 to %3 samples. Larger ones drop some in each epoch.</source>
        <translation>在 %1 中，各 rank 的份额有 %2 至 %3 个样本。较大的份额每轮舍去一部分样本。</translation>
    </message>
    <message>
        <source>In %1 the ranks&apos; shares have from %2 to %3 samples. Proportional batches let all ranks finish an epoch in the same step, but a rank with more samples computes longer in each step.</source>
        <translation>在 %1 中，各 rank 的份额有 %2 至 %3 个样本。按比例的批次使所有 rank 在同一步结束一轮，但样本较多的 rank 每步计算更久。</translation>
    </message>
    <message>
        <source>Multiple of the throughput</source>
        <translation>吞吐量倍数</translation>
    </message>
    <message>
        <source>set_epoch is not called in %1: every epoch repeats the first one&apos;s order, and each batch has the same samples.</source>
        <translation>%1 没有调用 set_epoch：每一轮都重复第一轮的顺序，每个批次始终由相同的样本组成。</translation>
    </message>
    <message>
        <source>%1: ranks are idle for %2 of the time (the bubble). With equal stages it would be %3 for %4 stages and %5 micro-batches. Here some stages compute longer than others.</source>
        <translation>%1：rank 有 %2 的时间空闲（气泡）。若各阶段耗时相同，%4 个阶段、%5 个微批次时为 %3。这里有的阶段比其他阶段计算更久。</translation>
    </message>
    <message>
        <source>%1: ranks are idle for %2 of the time (the bubble). That is less than the schedule predicts for equal stages: %3 for %4 stages and %5 micro-batches.</source>
        <translation>%1：rank 有 %2 的时间空闲（气泡）。这少于各阶段耗时相同时调度的预测：%4 个阶段、%5 个微批次时为 %3。</translation>
    </message>
    <message>
        <source>%1: ranks are idle for %2 of the time (the bubble). That is as the schedule predicts: %3 for %4 stages and %5 micro-batches.</source>
        <translation>%1：rank 有 %2 的时间空闲（气泡）。与调度的预测相符：%4 个阶段、%5 个微批次时为 %3。</translation>
    </message>
    <message>
        <source>Amdahl&apos;s law predicts %3 × for %4 ranks on this machine&apos;s cores; %5 × was measured: %9. It assumes a serial share of %1 in the single process&apos;s step and a link of %2. With one core per rank it predicts no gain over this link, and %8 × if communication cost nothing.</source>
        <translation>Amdahl 定律预测 %4 个 rank 在本机的核心上可达 %3 ×；实测 %5 ×：%9。它假设单进程的一步中有 %1 无法并行，链路为 %2。若每个 rank 各有一个核心，经此链路预测没有收益；若通信不花时间则为 %8 ×。</translation>
    </message>
    <message>
        <source>Amdahl&apos;s law predicts %3 × for %4 ranks on this machine&apos;s cores; %5 × was measured: %9. It assumes a serial share of %1 in the single process&apos;s step and a link of %2. With one core per rank it predicts at most %6 ×, at %7 ranks, and %8 × if communication cost nothing.</source>
        <translation>Amdahl 定律预测 %4 个 rank 在本机的核心上可达 %3 ×；实测 %5 ×：%9。它假设单进程的一步中有 %1 无法并行，链路为 %2。若每个 rank 各有一个核心，预测 %7 个 rank 时最多 %6 ×；若通信不花时间则为 %8 ×。</translation>
    </message>
    <message>
        <source>The model predicts %3 × for %4 ranks on this machine&apos;s cores; %5 × was measured: %9. It assumes a serial share of %1 in the single process&apos;s step and a link of %2. With one core per rank it predicts %6 × at %7 ranks.</source>
        <translation>模型预测 %4 个 rank 在本机的核心上可达 %3 ×；实测 %5 ×：%9。它假设单进程的一步中有 %1 无法并行，链路为 %2。若每个 rank 各有一个核心，预测 %7 个 rank 时为 %6 ×。</translation>
    </message>
    <message>
        <source>The model predicts %3 × for %4 ranks on %5 hosts; %6 × was measured: %7. It assumes a serial share of %1 in the single process&apos;s step and a link of %2 between hosts.</source>
        <translation>模型预测 %5 台主机上的 %4 个 rank 可达 %3 ×；实测 %6 ×：%7。它假设单进程的一步中有 %1 无法并行，主机之间的链路为 %2。</translation>
    </message>
    <message>
        <source>The model predicts %3 × for %4 ranks on %5 hosts; %6 × was measured: %7. It assumes a serial share of %1 in the single process&apos;s step. It assumes a link of %8 within a host and one of %2 between hosts.</source>
        <translation>模型预测 %5 台主机上的 %4 个 rank 可达 %3 ×；实测 %6 ×：%7。它假设单进程的一步中有 %1 无法并行。它还假设主机内的链路为 %8，主机之间的链路为 %2。</translation>
    </message>
    <message>
        <source>The prediction of %1 × at %2 ranks is an extrapolation: at most %3 ranks were measured with a core each.</source>
        <translation>%2 个 rank 时 %1 × 的预测是外推：各有一个核心时最多只实测了 %3 个 rank。</translation>
    </message>
    <message>
        <source>The prediction of %1 × at %2 ranks is an extrapolation: at most %3 ranks were measured with a core each. Its link was measured inside one machine.</source>
        <translation>%2 个 rank 时 %1 × 的预测是外推：各有一个核心时最多只实测了 %3 个 rank。所用链路是在一台机器内测得的。</translation>
    </message>
    <message>
        <source>The link behind the predictions was measured between processes of one machine. It does not carry over to ranks on several machines; links of a cluster can be emulated.</source>
        <translation>预测所用的链路是在同一台机器的进程之间测得的。不适用于多台机器上的 rank；集群的链路可以模拟。</translation>
    </message>
    <message>
        <source>The link behind the predictions was measured as training uses it, in one machine&apos;s shared memory. It does not carry over to ranks on several machines; links of a cluster can be emulated.</source>
        <translation>预测所用的链路是按训练的用法，在单机共享内存中测得的。不适用于多台机器上的 rank；集群的链路可以模拟。</translation>
    </message>
    <message>
        <source>The link behind the predictions was measured on copies through one machine&apos;s shared memory. It does not carry over to ranks on several machines; links of a cluster can be emulated.</source>
        <translation>预测所用的链路是在经单机共享内存的复制上测得的。不适用于多台机器上的 rank；集群的链路可以模拟。</translation>
    </message>
    <message>
        <source>Ranks</source>
        <translation>rank 数</translation>
    </message>
    <message>
        <source>Measured link</source>
        <translation>实测链路</translation>
    </message>
    <message>
        <source>%1 continues another run after step %2. Its learning-rate schedule was made for %3 steps there and is recomputed for %4 here. Its rates differ from those of one run of %4 steps.</source>
        <translation>%1 从另一次运行的第 %2 步之后继续。那里的学习率调度按 %3 步计算，这里按 %4 步重新计算。其学习率与一次完整的 %4 步运行不同。</translation>
    </message>
    <message>
        <source>%1: while rank %2 was slowed by %3 ms, a step took %4 ms instead of %5.</source>
        <translation>%1：rank %2 被人为减慢 %3 ms 期间，每步耗时由 %5 ms 变为 %4 ms。</translation>
    </message>
    <message>
        <source>%1: while ranks %2 were slowed by %3 ms, a step took %4 ms instead of %5.</source>
        <translation>%1：rank %2 被人为减慢 %3 ms 期间，每步耗时由 %5 ms 变为 %4 ms。</translation>
    </message>
    <message>
        <source>%1: after the slow steps, a step took %2 ms.</source>
        <translation>%1：恢复后每步耗时 %2 ms。</translation>
    </message>
    <message>
        <source>%2 takes %3 times as long per step as %1.</source>
        <translation>%2 的每步耗时是 %1 的 %3 倍。</translation>
    </message>
    <message>
        <source>%2 processes %3 times as many samples per second as %1.</source>
        <translation>%2 每秒处理的样本数是 %1 的 %3 倍。</translation>
    </message>
    <message>
        <source>%2 takes %3 of the time of %1 per step.</source>
        <translation>%2 的每步耗时是 %1 的 %3。</translation>
    </message>
    <message>
        <source>%2 processes %3 of the samples of %1 per second.</source>
        <translation>%2 每秒处理的样本数是 %1 的 %3。</translation>
    </message>
    <message>
        <source>Time per step, as a multiple of that of %1.</source>
        <translation>每步耗时，以 %1 的倍数表示。</translation>
    </message>
    <message>
        <source>Samples per second, as a multiple of those of %1.</source>
        <translation>每秒样本数，以 %1 的倍数表示。</translation>
    </message>
    <message>
        <source>Multiple</source>
        <translation>倍数</translation>
    </message>
    <message>
        <source>Time per step: no difference worth naming between %1 and %2.</source>
        <translation>每步耗时：%1 与 %2 之间没有明显差异。</translation>
    </message>
    <message>
        <source>Time per step: whether %1 differs from %2 cannot be told.</source>
        <translation>每步耗时：%1 与 %2 是否有差异，无法判断。</translation>
    </message>
    <message>
        <source>Samples per second: no difference worth naming between %1 and %2.</source>
        <translation>每秒样本数：%1 与 %2 之间没有明显差异。</translation>
    </message>
    <message>
        <source>Samples per second: whether %1 differs from %2 cannot be told.</source>
        <translation>每秒样本数：%1 与 %2 是否有差异，无法判断。</translation>
    </message>
    <message>
        <source>Whether %1 learns as a single process does cannot be told in %7. Its losses differ by up to %2, those of single processes that sum in other orders by %5. A comparison in float64 can tell.</source>
        <translation>在 %7 下，%1 与单进程的学习过程是否一致，无法判断。损失最多相差 %2，而按其他顺序求和的单进程相差 %5。用 float64 比较即可判断。</translation>
    </message>
    <message>
        <source>%1 learns as a single process does: the losses agree to within %2. That is within rounding: single processes that sum in other orders differ by %5.</source>
        <translation>%1 与单进程的学习过程一致：损失的相对差不超过 %2。这在舍入误差之内：按其他顺序求和的单进程相差 %5。</translation>
    </message>
    <message>
        <source>%1 differs from a single process by up to %2. A batch of %3 cannot be split equally across %4 ranks, and the mean counts every rank equally. The rule weighted_mean counts samples.</source>
        <translation>%1 与单进程最多相差 %2。%3 个样本的批次不能平均分给 %4 个 rank，而平均值对每个 rank 一视同仁。规则 weighted_mean 按样本数加权。</translation>
    </message>
    <message>
        <source>%1 differs from a single process by up to %2 of the loss. Single processes that sum in other orders agree in nearly all digits: they differ by %5. A comparison in float64 tells an error from rounding that the optimizer amplifies.</source>
        <translation>%1 与单进程的损失最多相差 %2。按其他顺序求和的单进程几乎每一位都相同：相差 %5。用 float64 再比较一次，就能区分错误与被优化器放大的舍入误差。</translation>
    </message>
    <message>
        <source>%1 differs from a single process by up to %2 of the loss. That is %6 times as much as single processes that sum in other orders, which differ by %5. A comparison in float64 tells an error from rounding that the optimizer amplifies.</source>
        <translation>%1 与单进程的损失最多相差 %2。这是按其他顺序求和的单进程之差（%5）的 %6 倍。用 float64 再比较一次，就能区分错误与被优化器放大的舍入误差。</translation>
    </message>
    <message>
        <source>%1 differs from a single process by up to %2 of the loss.</source>
        <translation>%1 与单进程的损失最多相差 %2。</translation>
    </message>
    <message>
        <source>%1: while rank %2 was slowed by %3 ms, a step took %4 ms instead of %5. The others waited %6 ms.</source>
        <translation>%1：rank %2 被人为减慢 %3 ms 期间，每步耗时由 %5 ms 变为 %4 ms，其余 rank 等待 %6 ms。</translation>
    </message>
    <message>
        <source>%1: while ranks %2 were slowed by %3 ms, a step took %4 ms instead of %5. The others waited %6 ms.</source>
        <translation>%1：rank %2 被人为减慢 %3 ms 期间，每步耗时由 %5 ms 变为 %4 ms，其余 rank 等待 %6 ms。</translation>
    </message>
    <message>
        <source>About one more repeat may tell.</source>
        <translation>再重复约 1 次也许可以判断。</translation>
    </message>
    <message>
        <source>%1 of %2 against %3: there are no finished runs of both yet.</source>
        <translation>%2 与 %3 的%1：两者还没有都完成的运行。</translation>
    </message>
    <message>
        <source>%1 along %2: there are no finished runs of two values yet.</source>
        <translation>%1随%2的变化：还没有两个取值的完成的运行。</translation>
    </message>
    <message>
        <source>%1: there are no finished runs with it yet.</source>
        <translation>%1：还没有给出该值的完成的运行。</translation>
    </message>
    <message>
        <source>%1 puts all %4 pairs in your order.</source>
        <translation>按%1，全部 %4 对都符合你的次序。</translation>
    </message>
    <message>
        <source>%1 puts %2 of %3 pairs that can be told in your order. Against it, in points: %6.</source>
        <translation>按%1，可判断的 %3 对中有 %2 对符合你的次序。不符合的（百分点之差）：%6。</translation>
    </message>
    <message>
        <source>%1 puts %2 of %3 pairs that can be told in your order. Against it, as ratios: %6.</source>
        <translation>按%1，可判断的 %3 对中有 %2 对符合你的次序。不符合的（比值）：%6。</translation>
    </message>
    <message>
        <source>Which combination of %1 and %2 is best, and which of the two matters more?</source>
        <translation>%1与%2怎样组合最好？两者中哪个影响更大？</translation>
    </message>
    <message>
        <source>Which combination of %1, %2 and %3 is best, and which matters most?</source>
        <translation>%1、%2、%3怎样组合最好？其中哪个影响最大？</translation>
    </message>
    <message>
        <source>%1; %2</source>
        <translation>%1；%2</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1、%2</translation>
    </message>
    <message>
        <source>Slow rank</source>
        <translation>慢 rank</translation>
    </message>
    <message>
        <source>Its waiting (ms)</source>
        <translation>其等待（ms）</translation>
    </message>
    <message>
        <source>Transfer (ms)</source>
        <translation>传输（ms）</translation>
    </message>
    <message>
        <source>Time per message (µs)</source>
        <translation>启动延迟（µs）</translation>
    </message>
    <message>
        <source>Bandwidth (GB/s)</source>
        <translation>带宽（GB/s）</translation>
    </message>
    <message>
        <source>%1 is the fastest at the smallest size (%2: %3) and at the largest (%4: %5).</source>
        <translation>%1 在最小（%2：%3）和最大（%4：%5）的消息上都最快。</translation>
    </message>
    <message>
        <source>%1 is the fastest at the smallest size (%2: %3), %6 at the largest (%4: %5). From %7 on, %1 is no longer the fastest.</source>
        <translation>%1 在最小的消息上最快（%2：%3），%6 在最大的消息上最快（%4：%5）。从 %7 起，%1 不再最快。</translation>
    </message>
    <message>
        <source>What each variant needs to reach a training loss of %1; – if it does not.</source>
        <translation>各变体把训练损失降到 %1 所需的步数与时间；“–”表示未达到。</translation>
    </message>
    <message>
        <source>The batch loss of %1 scatters most about its trend, by %2; that of others by %4 or more.</source>
        <translation>批次损失围绕其趋势的波动以 %1 为最大（%2），其余至少为 %4。</translation>
    </message>
    <message>
        <source>The batch loss of %3 scatters least about its trend, by %4; that of others by up to %2.</source>
        <translation>批次损失围绕其趋势的波动以 %3 为最小（%4），其余最大为 %2。</translation>
    </message>
    <message>
        <source>Samples of the smallest and the largest share of a rank. Smaller shares repeat samples until all have equally many.</source>
        <translation>各 rank 份额的最少与最多样本数。较小的份额会重复样本，直到各份额相等。</translation>
    </message>
    <message>
        <source>Samples of the smallest and the largest share of a rank. Larger shares drop some in each epoch.</source>
        <translation>各 rank 份额的最少与最多样本数。较大的份额每轮舍去一些样本。</translation>
    </message>
    <message>
        <source>Fewest</source>
        <translation>最少</translation>
    </message>
    <message>
        <source>Most</source>
        <translation>最多</translation>
    </message>
    <message>
        <source>Throughput against %1 (%2 samples/s).</source>
        <translation>与%1（每秒 %2 个样本）相比的吞吐量。</translation>
    </message>
    <message>
        <source>Bubble</source>
        <translation>气泡</translation>
    </message>
    <message>
        <source>%1: %2 came out faster than this machine&apos;s cores allow: do not trust these times.</source>
        <translation>%1：%2 快得超出本机核心所能达到的程度，这些时间不可信。</translation>
    </message>
    <message>
        <source>Communication and waiting take this share of a step: %1.</source>
        <translation>通信与等待占一步的比例：%1。</translation>
    </message>
    <message>
        <source>* came out faster than this machine&apos;s cores allow: do not trust these times.</source>
        <translation>* 快得超出本机核心所能达到的程度，这些时间不可信。</translation>
    </message>
    <message>
        <source>%2 came out faster against %1 than this machine&apos;s cores allow: do not trust these times.</source>
        <translation>与 %1 相比，%2 快得超出本机核心所能达到的程度，这些时间不可信。</translation>
    </message>
    <message>
        <source>%1 recomputes activations: they take at most %2 on a rank (calculated: %3), with %4 %5. A step takes %6 times as long.</source>
        <translation>%1 重计算激活值：一个 rank 上最多占 %2（计算值 %3），%4 则为 %5。每步耗时是其 %6 倍。</translation>
    </message>
    <message>
        <source>Label skew: what part of a rank&apos;s samples would need another label to match the whole set. It is at most 0.5 for 2 ranks, 0.75 for 4.</source>
        <translation>标签偏斜：一个 rank 的样本中，须换成别的标签才能与整个数据集的标签分布一致的比例。2 个 rank 时最大为 0.5，4 个 rank 时最大为 0.75。</translation>
    </message>
    <message>
        <source>Dirichlet&apos;s alpha sets how evenly each label is spread over the ranks: the smaller, the more of a label is on one rank.</source>
        <translation>狄利克雷分布的 alpha 决定每种标签在各 rank 间的均匀程度：alpha 越小，一种标签越集中在一个 rank 上。</translation>
    </message>
    <message>
        <source>What a setting changes is the largest difference between the means of two of its values, each over all values of the others.</source>
        <translation>一项设置的影响是其不同取值之间均值的最大差；每个均值都对其余设置的全部取值求平均。</translation>
    </message>
    <message>
        <source>Seconds to an accuracy are its steps at the typical time per step, without evaluations.</source>
        <translation>达到某一准确率的秒数为所需步数乘以典型的每步耗时，不含评估。</translation>
    </message>
    <message>
        <source>Peak memory</source>
        <translation>峰值内存</translation>
    </message>
    <message>
        <source>What the nets have, learn and cost.</source>
        <translation>各网络的规模、学习结果与代价。</translation>
    </message>
    <message>
        <source>Parameters</source>
        <translation>参数量</translation>
    </message>
    <message>
        <source>Training loss</source>
        <translation>训练损失</translation>
    </message>
    <message>
        <source>Efficiency (%)</source>
        <translation>效率（%）</translation>
    </message>
    <message>
        <source>%1 against %2: %3 %4 instead of %5. A step takes %6 times as long. One run each: that may be chance.</source>
        <translation>%1 与 %2 相比：%3由 %5 变为 %4，每步耗时为其 %6 倍。各只运行一次，可能出于偶然。</translation>
    </message>
    <message>
        <source>%1 against %2: %3 %4 instead of %5. A step takes %6 times as long.</source>
        <translation>%1 与 %2 相比：%3由 %5 变为 %4，每步耗时为其 %6 倍。</translation>
    </message>
    <message>
        <source>%1 gains nothing against %2: %3 %4 instead of %5. A step takes %6 times as long. One run each: that may be chance.</source>
        <translation>%1 与 %2 相比没有收益：%3由 %5 变为 %4，每步耗时却为其 %6 倍。各只运行一次，可能出于偶然。</translation>
    </message>
    <message>
        <source>%1: whether %2 (on average up to %3 points) or %4 (up to %5) matters more cannot be told.</source>
        <translation>%1：%2（平均最多相差 %3 个百分点）与%4（最多相差 %5 个百分点）哪个影响更大，无法判断。</translation>
    </message>
    <message>
        <source>%1: whether %2 (on average up to %3) or %4 (up to %5) matters more cannot be told.</source>
        <translation>%1：%2（平均最多相差 %3）与%4（最多相差 %5）哪个影响更大，无法判断。</translation>
    </message>
    <message>
        <source>Communication and waiting take this share of a step: %1, no difference worth naming.</source>
        <translation>通信与等待占一步的比例：%1，没有明显差异。</translation>
    </message>
    <message>
        <source>Communication and waiting take this share of a step: %1; whether it differs cannot be told.</source>
        <translation>通信与等待占一步的比例：%1；是否有差异，无法判断。</translation>
    </message>
    <message>
        <source>%1 at %2 %4 against %3: %5 points (n = %6).</source>
        <translation>%2 为 %4 时的%1与 %3 时相比：%5 个百分点（n = %6）。</translation>
    </message>
    <message>
        <source>%1 of %2 is less than that of %3.</source>
        <translation>%2 的%1比 %3 小。</translation>
    </message>
    <message>
        <source>%1 of %2 is less than that of %3 by at least %4 points.</source>
        <translation>%2 的%1比 %3 至少小 %4 个百分点。</translation>
    </message>
    <message>
        <source>%1 of %2 is less than that of %3 by at least %4 %.</source>
        <translation>%2 的%1比 %3 至少小 %4 %。</translation>
    </message>
    <message>
        <source>%1 of %2 is greater than that of %3.</source>
        <translation>%2 的%1比 %3 大。</translation>
    </message>
    <message>
        <source>%1 of %2 is greater than that of %3 by at least %4 points.</source>
        <translation>%2 的%1比 %3 至少大 %4 个百分点。</translation>
    </message>
    <message>
        <source>%1 of %2 is greater than that of %3 by at least %4 %.</source>
        <translation>%2 的%1比 %3 至少大 %4 %。</translation>
    </message>
    <message>
        <source>%1 of %2 and %3: no difference worth naming.</source>
        <translation>%2 与 %3 的%1没有值得一提的差别。</translation>
    </message>
    <message>
        <source>%1 rises with %2.</source>
        <translation>%1随%2增大而增大。</translation>
    </message>
    <message>
        <source>%1 falls with %2.</source>
        <translation>%1随%2增大而减小。</translation>
    </message>
    <message>
        <source>Tested on %1 runs, by the 95 % confidence interval.</source>
        <translation>用 %1 次运行的 95 % 置信区间检验。</translation>
    </message>
    <message>
        <source>Tested on the %1 newest runs, by the 95 % confidence interval; %2 runs with other settings do not count.</source>
        <translation>用最新的 %1 次运行的 95 % 置信区间检验；另有 %2 次运行设置不同，不计入。</translation>
    </message>
    <message>
        <source>%1: measured %2 times (95 % confidence interval from %6 to %7), predicted %3, from %4 to %5.</source>
        <translation>%1：测得 %2 倍（95 % 置信区间 %6 到 %7），预测 %3，范围 %4 到 %5。</translation>
    </message>
    <message>
        <source>%1: measured %2 times, predicted %3, from %4 to %5.</source>
        <translation>%1：测得 %2 倍，预测 %3，范围 %4 到 %5。</translation>
    </message>
    <message>
        <source>%1: measured %2 points (95 % confidence interval from %6 to %7), predicted %3, from %4 to %5.</source>
        <translation>%1：测得 %2 个百分点（95 % 置信区间 %6 到 %7），预测 %3，范围 %4 到 %5。</translation>
    </message>
    <message>
        <source>%1: measured %2 points, predicted %3, from %4 to %5.</source>
        <translation>%1：测得 %2 个百分点，预测 %3，范围 %4 到 %5。</translation>
    </message>
    <message>
        <source>%1: measured %2 (95 % confidence interval from %6 to %7), predicted %3, from %4 to %5.</source>
        <translation>%1：测得 %2（95 % 置信区间 %6 到 %7），预测 %3，范围 %4 到 %5。</translation>
    </message>
    <message>
        <source>%1: measured %2, predicted %3, from %4 to %5.</source>
        <translation>%1：测得 %2，预测 %3，范围 %4 到 %5。</translation>
    </message>
    <message>
        <source>%1: your curve is off by a factor of %2 (root mean square). It holds up to %3: a tenth of the measured curve&apos;s decades.</source>
        <translation>%1：你的曲线相差 %2 倍（均方根）。不超过 %3 倍即成立：实测曲线所跨数量级的十分之一。</translation>
    </message>
    <message>
        <source>%1: your curve is off by %2 (root mean square). It holds up to %3: a tenth of the measured curve&apos;s range.</source>
        <translation>%1：你的曲线相差 %2（均方根）。不超过 %3 即成立：实测曲线变化范围的十分之一。</translation>
    </message>
    <message>
        <source>Hardly learned: %1. The training loss or the test accuracy stayed near that of guessing.</source>
        <translation>几乎没有学到东西：%1。训练损失或测试准确率停留在随机猜测的水平附近。</translation>
    </message>
    <message>
        <source>%1 gained no time here: a step takes %3 times as long as with %2.</source>
        <translation>%1 在此没有节省时间：每步耗时是 %2 的 %3 倍。</translation>
    </message>
    <message>
        <source>%1 gained no time here: no difference worth naming from %2 in time per step.</source>
        <translation>%1 在此没有节省时间：每步耗时与 %2 没有明显差异。</translation>
    </message>
    <message>
        <source>Least peak memory per rank: %2 with %1, instead of %3 with %4.</source>
        <translation>峰值内存（每个 rank）以 %1 最少：%2，%4 为 %3。</translation>
    </message>
    <message>
        <source>Least peak memory per rank: %2 with %1, instead of %3 with %4; no difference worth naming in time per step.</source>
        <translation>峰值内存（每个 rank）以 %1 最少：%2，%4 为 %3；每步耗时没有明显差异。</translation>
    </message>
    <message>
        <source>Least peak memory per rank: %2 with %1, instead of %3 with %4. Whether a step takes longer cannot be told: %5 times.</source>
        <translation>峰值内存（每个 rank）以 %1 最少：%2，%4 为 %3。每步耗时为 %4 的 %5 倍，是否更久无法判断。</translation>
    </message>
    <message>
        <source>Least peak memory per rank: %2 with %1, instead of %3 with %4. A step takes %5 times as long, in one run each.</source>
        <translation>峰值内存（每个 rank）以 %1 最少：%2，%4 为 %3。每步耗时为 %4 的 %5 倍，各只运行了一次。</translation>
    </message>
    <message>
        <source>Least peak memory per rank: %2 with %1, instead of %3 with %4; a step takes %5 times as long.</source>
        <translation>峰值内存（每个 rank）以 %1 最少：%2，%4 为 %3；每步耗时为 %4 的 %5 倍。</translation>
    </message>
    <message>
        <source>No time is saved here. Time per step against %1: %2.</source>
        <translation>在此没有节省时间。每步耗时与 %1 相比：%2。</translation>
    </message>
    <message>
        <source>%1 is highest about %2 %3 (%4), which cannot be told from %9. It is %6 at %5 and %8 at %7.</source>
        <translation>%1在%2约为 %3 时最高（%4），与 %9 无法区分。取 %5 时为 %6，取 %7 时为 %8。</translation>
    </message>
    <message>
        <source>%1 is lowest about %2 %3 (%4), which cannot be told from %9. It is %6 at %5 and %8 at %7.</source>
        <translation>%1在%2约为 %3 时最低（%4），与 %9 无法区分。取 %5 时为 %6，取 %7 时为 %8。</translation>
    </message>
    <message>
        <source>%1: best in every run is %2 (%3), but these runs cannot tell that for sure.</source>
        <translation>%1：每次运行都是 %2 最好（%3），但仅凭这些运行还不能确定。</translation>
    </message>
    <message>
        <source>%1: the best mean is that of %2 (%3), which cannot be told from %4 by these runs. The others are worse.</source>
        <translation>%1：%2 的均值最好（%3），但根据这些运行无法区分它与 %4。其余较差。</translation>
    </message>
    <message>
        <source>%1: the best mean is that of %2 (%3), which cannot be told from %4 by these runs. Worse: %5.</source>
        <translation>%1：%2 的均值最好（%3），但根据这些运行无法区分它与 %4。较差的是 %5。</translation>
    </message>
    <message>
        <source>Share of the step</source>
        <translation>占一步的比例</translation>
    </message>
    <message>
        <source>Part of the communication that overlaps with the backward pass: %1.</source>
        <translation>通信与反向传播重叠的比例：%1。</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>大小</translation>
    </message>
    <message>
        <source>Measured</source>
        <translation>实测</translation>
    </message>
    <message>
        <source>Predicted</source>
        <translation>预测</translation>
    </message>
    <message>
        <source>Sizes where theory agrees</source>
        <translation>与理论相符的消息大小个数</translation>
    </message>
    <message>
        <source>Furthest off at</source>
        <translation>相差最大处</translation>
    </message>
    <message>
        <source>The machine was busy: times of different numbers of ranks cannot be compared. The ranks of %1 waited up to %2 of their time for a core. Measure again on a quiet machine.</source>
        <translation>测量时机器繁忙：rank 数不同的时间无法比较。%1 的 rank 最多有 %2 的时间在等待核心。请在机器空闲时重新测量。</translation>
    </message>
    <message>
        <source>The machine was busy: the ranks of %1 waited up to %2 of their time for a core. Measure again on a quiet machine.</source>
        <translation>测量时机器繁忙：%1 的 rank 最多有 %2 的时间在等待核心。请在机器空闲时重新测量。</translation>
    </message>
    <message>
        <source>%1: ranks are idle for %2 of the time (the bubble). With equal stages it would be %3 for %4 stages and %5 micro-batches. Here they waited for a core.</source>
        <translation>%1：rank 有 %2 的时间空闲（气泡）。若各阶段耗时相同，%4 个阶段、%5 个微批次时为 %3。这里各 rank 曾等待核心。</translation>
    </message>
    <message>
        <source>%1: ranks are idle for %2 of the time (the bubble). With equal stages it would be %3 for %4 stages and %5 micro-batches. Here messages take a large part of the step.</source>
        <translation>%1：rank 有 %2 的时间空闲（气泡）。若各阶段耗时相同，%4 个阶段、%5 个微批次时为 %3。这里消息传输占了一步的很大部分。</translation>
    </message>
    <message>
        <source>%1: ranks are idle for %2 of the time (the bubble). With equal stages it would be %3 for %4 stages and %5 micro-batches.</source>
        <translation>%1：rank 有 %2 的时间空闲（气泡）。若各阶段耗时相同，%4 个阶段、%5 个微批次时为 %3。</translation>
    </message>
    <message>
        <source>%1 at %2 %4 is %5 times that at %3 (n = %6).</source>
        <translation>%2 为 %4 时的%1是 %3 时的 %5 倍（n = %6）。</translation>
    </message>
    <message>
        <source>The machine was busy with other work: do not trust %1 of %2. Measure again on a quiet machine.</source>
        <translation>测量时机器被其他工作占用：%2 的%1不可信。请在机器空闲时重新测量。</translation>
    </message>
    <message>
        <source>%2 came out faster than the cores allow: do not trust %1. Measure again on a quiet machine.</source>
        <translation>%2 快得超出核心所能达到的程度，其%1不可信。请在机器空闲时重新测量。</translation>
    </message>
    <message>
        <source>%1 of %2 counts waiting for a core, too: %3 ranks share %4 cores. Measure with no more ranks than cores.</source>
        <translation>%3 个 rank 共用 %4 个核心，%2 的%1还包含等待核心的时间。请让 rank 数不超过核心数，再行测量。</translation>
    </message>
    <message>
        <source>%1 of %2 against %3: %4 points (n = %5).</source>
        <translation>%2 的%1与 %3 相比：%4 个百分点（n = %5）。</translation>
    </message>
    <message>
        <source>%1: %2 is %4 times as fast as %3 (n = %5).</source>
        <translation>%1：%2 的速度是 %3 的 %4 倍（n = %5）。</translation>
    </message>
    <message>
        <source>%1: %2 takes %4 times as long as %3 (n = %5).</source>
        <translation>%1：%2 是 %3 的 %4 倍（n = %5）。</translation>
    </message>
    <message>
        <source>%1 of %2 is %4 times that of %3 (n = %5).</source>
        <translation>%2 的%1是 %3 的 %4 倍（n = %5）。</translation>
    </message>
    <message>
        <source>Ranges that held the result: %1 of %2.</source>
        <translation>区间包含测量结果：%2 个中有 %1 个。</translation>
    </message>
    <message>
        <source>Ranges that held the result: this cannot be told for any of %3.</source>
        <translation>区间是否包含测量结果：%3 个均无法判断。</translation>
    </message>
    <message>
        <source>Ranges that held the result: %1 of %2; for %3 more this cannot be told.</source>
        <translation>区间包含测量结果：%2 个中有 %1 个。另有 %3 个无法判断。</translation>
    </message>
    <message>
        <source>%1: whether %2 (%3) and %4 (%5) differ cannot be told.</source>
        <translation>%1：%2（%3）与 %4（%5）有无差异，无法判断。</translation>
    </message>
    <message>
        <source>%1 gained nothing here: a step takes %3 times as long as with %2. Peak memory is %4 instead of %5.</source>
        <translation>%1 在此没有任何收益：每步耗时是 %2 的 %3 倍。峰值内存为 %4，%2 为 %5。</translation>
    </message>
    <message>
        <source>%1 gained nothing here: no difference worth naming from %2 in time per step. Peak memory is %4 instead of %5.</source>
        <translation>%1 在此没有任何收益：每步耗时与 %2 没有明显差异。峰值内存为 %4，%2 为 %5。</translation>
    </message>
    <message>
        <source>For comparison, %1 does not split the net. A step takes %3 times as long as with %2, with %4 times the peak memory.</source>
        <translation>作为对照，%1不划分网络：每步耗时是%2的 %3 倍，峰值内存为其 %4 倍。</translation>
    </message>
    <message>
        <source>%2 helped: %1 is %3. With %4, the same schedule without it, it is %5.</source>
        <translation>%2 有帮助：%1为 %3。同样的调度不加预热（%4）时为 %5。</translation>
    </message>
    <message>
        <source>%2 did not help: %1 is %3. With %4, the same schedule without it, it is %5.</source>
        <translation>%2 没有帮助：%1为 %3。同样的调度不加预热（%4）时为 %5。</translation>
    </message>
    <message>
        <source>%2 did not help: %1 is %3. With %4, the same schedule without it, it is %5: no difference worth naming.</source>
        <translation>%2 没有帮助：%1为 %3。同样的调度不加预热（%4）时为 %5，没有明显差异。</translation>
    </message>
    <message>
        <source>Whether %2 helped cannot be told: %1 is %3. With %4, the same schedule without it, it is %5.</source>
        <translation>%2 有无帮助，无法判断：%1为 %3。同样的调度不加预热（%4）时为 %5。</translation>
    </message>
    <message>
        <source>The learning rate need not fall here: %1 is lowest with %2, %3. The others have %4 to %5 times that.</source>
        <translation>此处学习率无须下降：%1以 %2 最低，为 %3。其余为其 %4 至 %5 倍。</translation>
    </message>
    <message>
        <source>None of the %3 variants learned. The training loss stayed near %2, that of guessing.</source>
        <translation>%3 个变体均未能学习。训练损失始终在 %2 左右，与随机猜测相当。</translation>
    </message>
    <message>
        <source>None of the %3 variants learned much. The training loss or the test accuracy stayed near that of the start.</source>
        <translation>%3 个变体几乎都没有学到东西。训练损失或测试准确率停留在起始水平附近。</translation>
    </message>
    <message>
        <source>%1 came out fastest at every size, from %2 (%3) to %4 (%5).</source>
        <translation>%1 在每种大小上都最快，从 %2（%3）到 %4（%5）。</translation>
    </message>
    <message>
        <source>Runs that reach it</source>
        <translation>达到的运行</translation>
    </message>
    <message>
        <source>With %1, communicating and waiting take %2 of a step, or %3 of %4 ms. With the others they take from %5 (%6) to %7 (%8).</source>
        <translation>%1 的通信与等待占一步的 %2，即 %4 ms 中的 %3 ms。其余变体为 %5（%6）至 %7（%8）。</translation>
    </message>
    <message>
        <source>What each setting changes is compared without %1 %2, where %3 hardly learned.</source>
        <translation>比较各项设置的影响时不计%1为 %2 的变体：其中 %3 几乎没有学到东西。</translation>
    </message>
    <message>
        <source>With %1 %2 left out, %3 changes %7 by up to %4 points, %5 by up to %6.</source>
        <translation>不计%1为 %2 的变体时，%3最多使%7相差 %4 个百分点，%5最多使其相差 %6 个百分点。</translation>
    </message>
    <message>
        <source>With %1 %2 left out, %3 changes %7 by up to %4, %5 by up to %6.</source>
        <translation>不计%1为 %2 的变体时，%3最多使%7相差 %4，%5最多使其相差 %6。</translation>
    </message>
    <message>
        <source>In %1 no rank may be more than %2 steps ahead of the slowest (staleness). Ranks communicate and wait for %3 ms of a step, with %4 for %5 ms.</source>
        <translation>在 %1 中，任何 rank 最多只能比最慢的 rank 领先 %2 步（陈旧度）。每步的通信与等待为 %3 ms，而 %4 为 %5 ms。</translation>
    </message>
    <message>
        <source>Time communicating per step, waiting included: the mean of all ranks.</source>
        <translation>每步的通信时间（含等待）：所有 rank 的均值。</translation>
    </message>
    <message>
        <source>Time communicating per step, waiting included: the mean of all ranks. Some variants ran once: add repeats to see how much is chance.</source>
        <translation>每步的通信时间（含等待）：所有 rank 的均值。有的变体只运行了一次：增加重复次数，才能看出有多少是偶然。</translation>
    </message>
    <message>
        <source>%1 spends the least time communicating, waiting included, in every run; for sure that cannot be told.</source>
        <translation>每次运行都是 %1 的通信时间（含等待）最短，但还不能确定。</translation>
    </message>
    <message>
        <source>%1 spends the least time communicating on average, waiting included, which cannot be told from %2.</source>
        <translation>%1 的平均通信时间（含等待）最短，但无法区分它与 %2。</translation>
    </message>
    <message>
        <source>Who waits for the slow rank in a typical step: of the ranks the one that waits longest, and how long its transfers take.</source>
        <translation>在典型的一步中谁在等待慢 rank：各 rank 中等待最久的一个，及其传输时间。</translation>
    </message>
    <message>
        <source>Which variant is best is judged by intervals that hold for all pairs of variants at once: they are wider than those in brackets.</source>
        <translation>哪个变体最好，由同时适用于所有两两比较的区间判断：它们比方括号内的更宽。</translation>
    </message>
    <message>
        <source>Ratios and differences are those of runs with the same seed, before rounding: their intervals can be narrower than those of both numbers.</source>
        <translation>倍数与差由随机种子相同的运行算出，未经舍入：其区间可以比两个数值各自的区间更窄。</translation>
    </message>
    <message>
        <source>Communicating includes what a rule computes from the ranks&apos; arrays, such as a median.</source>
        <translation>通信时间包括聚合规则对各 rank 的数组所作的计算，例如求中位数。</translation>
    </message>
    <message>
        <source>In steps to a loss of %2, the best mean is that of %1, which cannot be told from %4. More: %3.</source>
        <translation>按损失降到 %2 的步数算，%1 的均值最好，但根据这些运行无法区分它与 %4。所需步数更多的是 %3。</translation>
    </message>
    <message>
        <source>In steps to a loss of %2, best in every run is %1, but these runs cannot tell that for sure.</source>
        <translation>按损失降到 %2 的步数算，每次运行都是 %1 最好，但仅凭这些运行还不能确定。</translation>
    </message>
    <message>
        <source>In seconds to a loss of %2, the best mean is that of %1, which cannot be told from %4. Slower: %3.</source>
        <translation>按损失降到 %2 的时间算，%1 的均值最好，但根据这些运行无法区分它与 %4。所需时间更长的是 %3。</translation>
    </message>
    <message>
        <source>In seconds to a loss of %2, best in every run is %1, but these runs cannot tell that for sure.</source>
        <translation>按损失降到 %2 的时间算，每次运行都是 %1 最好，但仅凭这些运行还不能确定。</translation>
    </message>
    <message>
        <source>Stages</source>
        <translation>阶段数</translation>
    </message>
    <message>
        <source>Micro-batches</source>
        <translation>微批次</translation>
    </message>
    <message>
        <source>In steps, %1 first reaches a loss of %2: %4 needs %3 times as many, %6 %5 times.</source>
        <translation>按步数算，%1 最先把损失降到 %2：%4 需要其 %3 倍，%6 需要其 %5 倍。</translation>
    </message>
    <message>
        <source>In seconds, %1 first reaches a loss of %2: %4 takes %3 times as long, %6 %5 times.</source>
        <translation>按时间算，%1 最先把损失降到 %2：%4 需要其 %3 倍，%6 需要其 %5 倍。</translation>
    </message>
    <message>
        <source>Times and bytes of variants that did not learn count, too: their steps do the same work.</source>
        <translation>没有学到东西的变体，其耗时和字节数照样计入：它们每步所做的工作相同。</translation>
    </message>
    <message>
        <source>Samples of the smallest and the largest share of a rank. Proportional batches let all ranks finish an epoch in the same step.</source>
        <translation>各 rank 份额的最少与最多样本数。批次按份额成比例，因此所有 rank 在同一步结束一个轮次。</translation>
    </message>
    <message>
        <source>In %1 the server updates the weights %2 times, at most %3 times, while a rank computes its gradient. The gradients of rank %5 are the stalest (%4 updates), those of rank %7 the freshest (%6).</source>
        <translation>%1 中，在一个 rank 计算梯度期间，服务器平均更新权重 %2 次，最多 %3 次。rank %5 的梯度最陈旧（%4 次更新），rank %7 的最新（%6 次）。</translation>
    </message>
    <message>
        <source>Added to a step (ms)</source>
        <translation>每步增加（ms）</translation>
    </message>
    <message>
        <source>%1 against %2: %3. The others do not differ by an amount worth naming.</source>
        <translation>%1，与 %2 相比：%3。其余没有明显差异。</translation>
    </message>
    <message>
        <source>%1 against %2, in points: %3. The others do not differ by an amount worth naming.</source>
        <translation>%1，与 %2 相比（百分点）：%3。其余没有明显差异。</translation>
    </message>
    <message>
        <source>%1 against %2: %3. For the others no difference worth naming can be told.</source>
        <translation>%1，与 %2 相比：%3。其余看不出明显差异。</translation>
    </message>
    <message>
        <source>%1 against %2, in points: %3. For the others no difference worth naming can be told.</source>
        <translation>%1，与 %2 相比（百分点）：%3。其余看不出明显差异。</translation>
    </message>
    <message>
        <source>%1 against %2: %5 of the %6 others differ by an amount worth naming, from %3 to %4.</source>
        <translation>%1，与 %2 相比：其余 %6 个变体中有 %5 个差异明显，从 %3 到 %4。</translation>
    </message>
    <message>
        <source>%1 against %2, in points: %5 of the %6 others differ by an amount worth naming. They range from %3 to %4.</source>
        <translation>%1，与 %2 相比（百分点）：其余 %6 个变体中有 %5 个差异明显。差值从 %3 到 %4。</translation>
    </message>
    <message>
        <source>%1 against %2 is higher in some (%3), lower in others (%4). Of the %6 others %5 differ by an amount worth naming.</source>
        <translation>%1，与 %2 相比：有的较高（%3），有的较低（%4）。其余 %6 个变体中有 %5 个差异明显。</translation>
    </message>
    <message>
        <source>%1 against %2, in points, is higher in some (%3), lower in others (%4). Of the %6 others %5 differ by an amount worth naming.</source>
        <translation>%1，与 %2 相比（百分点）：有的较高（%3），有的较低（%4）。其余 %6 个变体中有 %5 个差异明显。</translation>
    </message>
    <message>
        <source>With %2, both memory and time are saved. Peak memory is %3 times that of %1, the time per step %4 times.</source>
        <translation>%2 既省内存又省时间。峰值内存是 %1 的 %3 倍，每步耗时是其 %4 倍。</translation>
    </message>
    <message>
        <source>With %2, memory is saved in about the same time. Peak memory is %3 times that of %1, the time per step %4 times.</source>
        <translation>%2 省内存，耗时大致不变。峰值内存是 %1 的 %3 倍，每步耗时是其 %4 倍。</translation>
    </message>
    <message>
        <source>With %2, memory is saved but time is lost. Peak memory is %3 times that of %1, the time per step %4 times.</source>
        <translation>%2 省内存，但更费时间。峰值内存是 %1 的 %3 倍，每步耗时是其 %4 倍。</translation>
    </message>
    <message>
        <source>With %2, memory is saved; whether time is lost cannot be told. Peak memory is %3 times that of %1, the time per step %4 times.</source>
        <translation>%2 省内存，是否更费时间无法判断。峰值内存是 %1 的 %3 倍，每步耗时是其 %4 倍。</translation>
    </message>
    <message>
        <source>%1 gains nothing against %2: %3 %4 instead of %5, no clear difference. A step takes %6 times as long.</source>
        <translation>%1 与 %2 相比没有收益：%3为 %4，后者为 %5，没有明显差异。每步耗时为其 %6 倍。</translation>
    </message>
    <message>
        <source>With %1, communicating and waiting take %2 of a step, or %3 of %4 ms. With the others they take from %5 (%6) to %7 (%8, with the computing of its rule).</source>
        <translation>%1 的通信与等待占一步的 %2，即 %4 ms 中的 %3 ms。其余变体为 %5（%6）至 %7（%8，含聚合规则的计算）。</translation>
    </message>
    <message>
        <source>The best %1 depends on %2. The best means are those of %3.</source>
        <translation>最好的%1随%2而变。均值最好的是 %3。</translation>
    </message>
    <message>
        <source>Which setting changes %7 more cannot be told, since %6 hardly learned. Without %1 %2 it is %3, without %4 %5 it is %8.</source>
        <translation>哪项设置对%7影响更大，无法判断：%6 几乎没有学到东西。不计%1为 %2 的变体时是%3，不计%4为 %5 的变体时是%8。</translation>
    </message>
    <message>
        <source>%1 of %4 parameters on %3 samples of %2</source>
        <translation>%1（%4 个参数），%2 的 %3 个样本</translation>
    </message>
    <message>
        <source>%1 on %3 samples of %2</source>
        <translation>%1，%2 的 %3 个样本</translation>
    </message>
    <message>
        <source>each step on the whole set</source>
        <translation>每步用整个训练集</translation>
    </message>
    <message>
        <source>batch %1</source>
        <translation>批次大小 %1</translation>
    </message>
    <message>
        <source>batch %1 per rank</source>
        <translation>每个 rank 的批次大小 %1</translation>
    </message>
    <message>
        <source>batch %1 shared by the ranks</source>
        <translation>各 rank 共享大小为 %1 的批次</translation>
    </message>
    <message>
        <source>batch %1 shared by the ranks, or per rank</source>
        <translation>大小为 %1 的批次由各 rank 共享或每个 rank 一个</translation>
    </message>
    <message>
        <source>%1 at learning rate %2</source>
        <translation>%1（学习率 %2）</translation>
    </message>
    <message>
        <source>%1 steps</source>
        <translation>%1 步</translation>
    </message>
    <message>
        <source>1 epoch</source>
        <translation>1 个轮次</translation>
    </message>
    <message>
        <source>%1 epochs</source>
        <translation>%1 个轮次</translation>
    </message>
    <message>
        <source>weights averaged after each epoch (%1)</source>
        <translation>每个轮次后对权重取平均（%1）</translation>
    </message>
    <message>
        <source>weights averaged after each step (%1)</source>
        <translation>每步后对权重取平均（%1）</translation>
    </message>
    <message>
        <source>weights averaged every %2 steps (%1)</source>
        <translation>每 %2 步对权重取平均（%1）</translation>
    </message>
    <message>
        <source>strategy %1, stage %2</source>
        <translation>策略为 %1，阶段 %2</translation>
    </message>
    <message>
        <source>strategy %1</source>
        <translation>策略为 %1</translation>
    </message>
    <message>
        <source>%1 ranks (%2)</source>
        <translation>%1 个 rank（%2）</translation>
    </message>
    <message>
        <source>1 rank</source>
        <translation>1 个 rank</translation>
    </message>
    <message>
        <source>%1 ranks</source>
        <translation>%1 个 rank</translation>
    </message>
    <message>
        <source>%1 to %2 ranks</source>
        <translation>%1 至 %2 个 rank</translation>
    </message>
    <message>
        <source>one run each</source>
        <translation>各运行一次</translation>
    </message>
    <message>
        <source>%1 repeats</source>
        <translation>重复 %1 次</translation>
    </message>
    <message>
        <source>1 core</source>
        <translation>1 个 CPU 核心</translation>
    </message>
    <message>
        <source>%1 cores</source>
        <translation>%1 个 CPU 核心</translation>
    </message>
    <message>
        <source>A rank delayed by %2 ms adds to the time of a step: %1.</source>
        <translation>一个 rank 每步延迟 %2 ms，使每步耗时增加：%1。</translation>
    </message>
    <message>
        <source>A slow rank adds to the time of a step: %1.</source>
        <translation>一个慢 rank 使每步耗时增加：%1。</translation>
    </message>
    <message>
        <source>and the other ranks wait for rank %1</source>
        <translation>其余 rank 等待 rank %1</translation>
    </message>
    <message>
        <source>Did not learn: %1. The training loss grew more than tenfold, and ended near that of the start.</source>
        <translation>没有学到东西：%1。训练损失曾增大到十倍以上，最终与开始时相近。</translation>
    </message>
    <message>
        <source>Hardly learned: %1. The training loss ended above %2, nine tenths of that at the start.</source>
        <translation>几乎没有学到东西：%1。训练损失最终仍高于 %2，即开始时的十分之九。</translation>
    </message>
    <message>
        <source>from %1 to %2</source>
        <translation>从 %1 到 %2</translation>
    </message>
    <message>
        <source>%1 and %2 more</source>
        <translation>%1，另有 %2 项</translation>
    </message>
    <message>
        <source>%1 (%2 of %3 runs)</source>
        <translation>%1（%3 次运行中的 %2 次）</translation>
    </message>
    <message>
        <source>%2, %1</source>
        <translation>%2，%1</translation>
    </message>
    <message>
        <source>%1.</source>
        <translation>%1。</translation>
    </message>
    <message>
        <source>%1 spends the least time communicating per step, waiting included: %2 ms. %3 takes %4 times as long for it.</source>
        <translation>每步的通信时间（含等待）以 %1 为最短：%2 ms。%3 为其 %4 倍。</translation>
    </message>
    <message>
        <source>Waiting of the slow rank (ms)</source>
        <translation>慢 rank 的等待（ms）</translation>
    </message>
    <message>
        <source>Rank that waits longest</source>
        <translation>等待最久的 rank</translation>
    </message>
    <message>
        <source>What each host does in its own memory is part of the times per message and the bandwidths.</source>
        <translation>各主机在自身内存中所做的工作也计入启动延迟与带宽。</translation>
    </message>
    <message>
        <source>These times per message and bandwidths do not carry over to ranks on several machines.</source>
        <translation>这些启动延迟与带宽不适用于分布在多台机器上的 rank。</translation>
    </message>
    <message>
        <source>Depending on the algorithm, a call takes %2 at %1, and %4 at %3. Behind each time the prediction stands in brackets.</source>
        <translation>一次调用的时间因算法而异：%1 时为 %2，%3 时为 %4。括号内为理论预测值。</translation>
    </message>
    <message>
        <source>Each was measured in one run, so small differences may be chance.</source>
        <translation>每个算法只运行了一次，小的差异可能是偶然。</translation>
    </message>
    <message>
        <source>Messages</source>
        <translation>消息数</translation>
    </message>
    <message>
        <source>Bytes ÷ size</source>
        <translation>字节数 ÷ 大小</translation>
    </message>
    <message>
        <source>In theory, time = messages × time per message + bytes ÷ bandwidth, both fitted to these measurements. It agrees with each of them to within a factor of %3.</source>
        <translation>延迟–带宽模型：时间 = 消息数 × 启动延迟 + 字节数 ÷ 带宽，两个参数由这些测量值拟合。预测与每个测量值都相差不到 %3 倍。</translation>
    </message>
    <message>
        <source>In theory, time = messages × time per message + bytes ÷ bandwidth, both fitted to these measurements. It agrees with %1 of %2 of them to within a factor of %3. It is furthest off with %4 at %5: %6 predicted, %7 measured.</source>
        <translation>延迟–带宽模型：时间 = 消息数 × 启动延迟 + 字节数 ÷ 带宽，两个参数由这些测量值拟合。%2 个测量值中有 %1 个与预测相差不到 %3 倍。相差最大的是 %4 在 %5 时：预测 %6，实测 %7。</translation>
    </message>
    <message>
        <source>%1 needs the least memory per rank for parameters, gradients and optimizer state: %2 (calculated: %3). %4 needs %5, %6 times as much.</source>
        <translation>%1 的每个 rank 存放参数、梯度和优化器状态所需内存最少：%2（计算值 %3）。%4 需要 %5，是其 %6 倍。</translation>
    </message>
    <message>
        <source>Peak memory counts all tensors of a rank: parameters, gradients and optimizer state, activations, data and buffers.</source>
        <translation>峰值内存计入一个 rank 的全部张量：参数、梯度、优化器状态、激活值、数据和缓冲区。</translation>
    </message>
    <message>
        <source>Messages and bytes are those of the longest chain of messages that wait for one another in a call.</source>
        <translation>消息数与字节数取一次调用中前后相依的最长一串消息。</translation>
    </message>
    <message>
        <source>A difference is worth naming from one point of an accuracy or a share on, 5 % of a loss, 10 % of anything else.</source>
        <translation>明显差异：准确率与占比相差 1 个百分点以上，损失相差 5 % 以上，其余指标相差 10 % 以上。</translation>
    </message>
    <message>
        <source>Cannot be told: the 95 % interval contains both no difference and one worth naming.</source>
        <translation>无法判断：95 % 置信区间既包含没有差异，也包含明显差异。</translation>
    </message>
    <message>
        <source>Contiguous parts have the same labels here: in this data set the labels alternate.</source>
        <translation>这里连续划分的各部分标签分布相同：该数据集中各标签轮流出现。</translation>
    </message>
    <message>
        <source>Variants that send the same messages are taken together where times of communicating are compared.</source>
        <translation>比较通信时间时，发送相同消息的变体合并计算。</translation>
    </message>
    <message>
        <source>All-reduce is the backend&apos;s own algorithm: theory takes it for a ring. The others are all-reduces built from messages.</source>
        <translation>“全归约”是后端自带的算法，理论上按环形计算。其余是由消息构成的全归约。</translation>
    </message>
    <message>
        <source>A step of an asynchronous server is one gradient of each rank; it updates the weights after each of these. Its steps are compared with those of no other variant.</source>
        <translation>异步服务器的一步是每个 rank 各一个梯度，每收到一个就更新一次权重。这种步不与其他变体的步比较。</translation>
    </message>
    <message>
        <source>Each variant ran once: the intervals show how much parts of one run differ, not how much runs do.</source>
        <translation>每个变体只运行了一次：区间表示一次运行内各段之间的差异，而非各次运行之间的差异。</translation>
    </message>
    <message>
        <source>Accuracy falls as the ranks&apos; labels differ more. It is %1 at label skew %2 (%3), and %4 at %5 (%6). Each rank trains on its own samples alone until weights are averaged.</source>
        <translation>各 rank 的标签分布差异越大，准确率越低。偏斜为 %2 时是 %1（%3），偏斜为 %5 时是 %4（%6）。在对权重取平均之前，每个 rank 只用自己的样本训练。</translation>
    </message>
    <message>
        <source>Accuracy falls as the ranks&apos; labels differ more. It is %1 at label skew %2 (%3), and %4 at %5 (%6).</source>
        <translation>各 rank 的标签分布差异越大，准确率越低。偏斜为 %2 时是 %1（%3），偏斜为 %5 时是 %4（%6）。</translation>
    </message>
    <message>
        <source>Label skew and test accuracy of each, in points against %1.</source>
        <translation>各划分的标签偏斜与测试准确率，以及与 %1 相差的百分点。</translation>
    </message>
    <message>
        <source>unequal stages</source>
        <translation>各阶段耗时不等</translation>
    </message>
    <message>
        <source>waiting for a core</source>
        <translation>等待核心</translation>
    </message>
    <message>
        <source>messages</source>
        <translation>消息传输</translation>
    </message>
    <message>
        <source>The bubble: part of the time for which the ranks are idle. Beside it that of the schedule, with equal stages and no messages, and what the rest comes from.</source>
        <translation>气泡：各 rank 空闲的时间占比。旁边是各阶段耗时相等、没有消息时按调度算出的占比，以及其余部分的原因。</translation>
    </message>
    <message>
        <source>By the schedule</source>
        <translation>按调度</translation>
    </message>
    <message>
        <source>Cause of the rest</source>
        <translation>超出部分的原因</translation>
    </message>
    <message>
        <source>%1 has the smallest bubble and the longest step. Computing its small micro-batches takes a rank %2 ms, with %3 it takes %4 ms.</source>
        <translation>%1 的气泡最小，每步耗时却最长。其微批次较小，每个 rank 的计算需 %2 ms，%3 只需 %4 ms。</translation>
    </message>
    <message>
        <source>On %1 ranks%4 communication takes %3 ms of a step. By the latency and bandwidth measured before, it should take %2 ms. So the model does not hold, and predicts nothing.</source>
        <translation>%1 个 rank%4 时每步通信耗时 %3 ms。按事先测得的延迟与带宽应为 %2 ms。因此该模型在此不成立，不作预测。</translation>
    </message>
    <message>
        <source>Strong scaling (one batch for all ranks)</source>
        <translation>强扩展（所有 rank 共享一个批次）</translation>
    </message>
    <message>
        <source>Weak scaling (a batch for each rank)</source>
        <translation>弱扩展（每个 rank 各有一个批次）</translation>
    </message>
    <message>
        <source>%1%2: on %7 ranks it came out faster than this machine&apos;s cores allow: do not trust these times.</source>
        <translation>%1%2：%7 个 rank 时的速度超过本机核心所能达到的程度，这些时间不可信。</translation>
    </message>
    <message>
        <source>%1%2: on %3 ranks training is %4 times as fast as on 1 rank. On %7 ranks it came out faster than this machine&apos;s cores allow: do not trust these times.</source>
        <translation>%1%2：%3 个 rank 的训练速度是 1 个 rank 的 %4 倍。%7 个 rank 时的速度超过本机核心所能达到的程度，这些时间不可信。</translation>
    </message>
    <message>
        <source>%1%2: on %3 ranks training is %4 times as fast as on 1 rank.</source>
        <translation>%1%2：%3 个 rank 的训练速度是 1 个 rank 的 %4 倍。</translation>
    </message>
    <message>
        <source>%1%2: on %3 ranks training is %4 times as fast as on 1 rank, on %5 ranks %6 times.</source>
        <translation>%1%2：%3 个 rank 的训练速度是 1 个 rank 的 %4 倍，%5 个 rank 为 %6 倍。</translation>
    </message>
    <message>
        <source>%1%2: more ranks gain nothing. On %3 ranks training is %4 times as fast as on 1 rank, on %5 ranks %6 times.</source>
        <translation>%1%2：增加 rank 没有收益。%3 个 rank 的训练速度是 1 个 rank 的 %4 倍，%5 个 rank 为 %6 倍。</translation>
    </message>
    <message>
        <source>but no run on %1 ranks reached a test accuracy of %2</source>
        <translation>但 %1 个 rank 的运行都未达到 %2 的测试准确率</translation>
    </message>
    <message>
        <source>Computing (ms)</source>
        <translation>计算（ms）</translation>
    </message>
    <message>
        <source>Communicating (ms)</source>
        <translation>通信（ms）</translation>
    </message>
    <message>
        <source>Waiting (ms)</source>
        <translation>等待（ms）</translation>
    </message>
    <message>
        <source>%1%2: on %3 ranks a step takes %4 ms, on 1 rank %5 ms. Computing takes %6 ms of it (on 1 rank %9), communicating and waiting %7.</source>
        <translation>%1%2：%3 个 rank 时每步耗时 %4 ms，1 个 rank 时为 %5 ms。前者计算 %6 ms（1 个 rank 时 %9），通信与等待 %7 ms。</translation>
    </message>
    <message>
        <source>%1%2: on %3 ranks a step takes %4 ms, on 1 rank %5 ms. Computing takes %6 ms of it (on 1 rank %9). Most is lost in communicating (%7 ms) and waiting (%8 ms).</source>
        <translation>%1%2：%3 个 rank 时每步耗时 %4 ms，1 个 rank 时为 %5 ms。前者计算 %6 ms（1 个 rank 时 %9）。时间主要损失在通信（%7 ms）与等待（%8 ms）上。</translation>
    </message>
    <message>
        <source>%1%2: on %3 ranks a step takes %4 ms, on 1 rank %5 ms. Communicating takes %7 ms of it, waiting %8. Most is lost in computing (%6 ms, ideally %9): the ranks share the cores.</source>
        <translation>%1%2：%3 个 rank 时每步耗时 %4 ms，1 个 rank 时为 %5 ms。前者通信 %7 ms，等待 %8 ms。时间主要损失在计算上（%6 ms，理想情况下为 %9 ms）：各 rank 共用 CPU 核心。</translation>
    </message>
    <message>
        <source>%1%2: on %3 ranks a step takes %4 ms, on 1 rank %5 ms. Communicating takes %7 ms of it, waiting %8. Most is lost in computing (%6 ms, ideally %9).</source>
        <translation>%1%2：%3 个 rank 时每步耗时 %4 ms，1 个 rank 时为 %5 ms。前者通信 %7 ms，等待 %8 ms。时间主要损失在计算上（%6 ms，理想情况下为 %9 ms）。</translation>
    </message>
    <message>
        <source>%1%2: seconds to the first evaluation with a test accuracy of %3.</source>
        <translation>%1%2：评估首次达到 %3 测试准确率所用的秒数。</translation>
    </message>
    <message>
        <source>%1%2: seconds to the first evaluation with a test accuracy of %3; – where no run reaches it.</source>
        <translation>%1%2：评估首次达到 %3 测试准确率所用的秒数；没有运行达到时为 –。</translation>
    </message>
    <message>
        <source>%1 ranks with a batch each reach a test accuracy of %2, 1 rank %3. They take %4 steps of %5 samples instead of %6 of %7.</source>
        <translation>%1 个 rank 各有自己的批次时，测试准确率为 %2，1 个 rank 时为 %3。前者训练 %4 步、每步 %5 个样本，后者 %6 步、每步 %7 个样本。</translation>
    </message>
    <message>
        <source>%1 at %2 %4 against %3: %5 points (n = %6). From %7 to %8 this cannot be told: %9 points.</source>
        <translation>%2 为 %4 时的%1与 %3 时相比：%5 个百分点（n = %6）。从 %7 到 %8 无法判断：%9 个百分点。</translation>
    </message>
    <message>
        <source>%1 at %2 %4 is %5 times that at %3 (n = %6). From %7 to %8 this cannot be told: %9 times.</source>
        <translation>%2 为 %4 时的%1是 %3 时的 %5 倍（n = %6）。从 %7 到 %8 无法判断：%9 倍。</translation>
    </message>
    <message>
        <source>%1 at %2 %4 against %3: %5 points (n = %6). From %7 to %8 it may go the other way, perhaps by chance: %9 points.</source>
        <translation>%2 为 %4 时的%1与 %3 时相比：%5 个百分点（n = %6）。从 %7 到 %8 可能相反，也可能出于偶然：%9 个百分点。</translation>
    </message>
    <message>
        <source>%1 at %2 %4 is %5 times that at %3 (n = %6). From %7 to %8 it may go the other way, perhaps by chance: %9 times.</source>
        <translation>%2 为 %4 时的%1是 %3 时的 %5 倍（n = %6）。从 %7 到 %8 可能相反，也可能出于偶然：%9 倍。</translation>
    </message>
    <message>
        <source>%1 at %2 %4 against %3: %5 points (n = %6). From %7 to %8 it goes the other way: %9 points.</source>
        <translation>%2 为 %4 时的%1与 %3 时相比：%5 个百分点（n = %6）。从 %7 到 %8 则相反：%9 个百分点。</translation>
    </message>
    <message>
        <source>%1 at %2 %4 is %5 times that at %3 (n = %6). From %7 to %8 it goes the other way: %9 times.</source>
        <translation>%2 为 %4 时的%1是 %3 时的 %5 倍（n = %6）。从 %7 到 %8 则相反：%9 倍。</translation>
    </message>
    <message>
        <source>%1 puts %2 of %4 pairs in your order. With so many pairs, the others may be chance.</source>
        <translation>按%1，%4 对中有 %2 对符合你的次序。两两比较这么多，其余各对可能出于偶然。</translation>
    </message>
    <message>
        <source>%1 tells %3 of %4 pairs apart, %2 of them in your order. Not told, in points: %5.</source>
        <translation>按%1可区分 %4 对中的 %3 对，其中 %2 对符合你的次序。无法区分的（百分点之差）：%5。</translation>
    </message>
    <message>
        <source>%1 tells %3 of %4 pairs apart, %2 of them in your order. Not told, as ratios: %5.</source>
        <translation>按%1可区分 %4 对中的 %3 对，其中 %2 对符合你的次序。无法区分的（比值）：%5。</translation>
    </message>
    <message>
        <source>%1: measured %2 times (95 % confidence interval from %6 to %7), predicted %3, from %4 to %5. The interval reaches beyond your %8.</source>
        <translation>%1：测得 %2 倍（95 % 置信区间 %6 到 %7），预测 %3，范围 %4 到 %5。区间超出了你给出的 %8。</translation>
    </message>
    <message>
        <source>%1: measured %2 points (95 % confidence interval from %6 to %7), predicted %3, from %4 to %5. The interval reaches beyond your %8.</source>
        <translation>%1：测得 %2 个百分点（95 % 置信区间 %6 到 %7），预测 %3，范围 %4 到 %5。区间超出了你给出的 %8。</translation>
    </message>
    <message>
        <source>%1: measured %2 (95 % confidence interval from %6 to %7), predicted %3, from %4 to %5. The interval reaches beyond your %8.</source>
        <translation>%1：测得 %2（95 % 置信区间 %6 到 %7），预测 %3，范围 %4 到 %5。区间超出了你给出的 %8。</translation>
    </message>
    <message>
        <source>GD on the whole set in each step</source>
        <translation>GD 每步使用整个训练集</translation>
    </message>
    <message>
        <source>1 step</source>
        <translation>1 步</translation>
    </message>
    <message>
        <source>1 rank (%2)</source>
        <translation>1 个 rank（%2）</translation>
    </message>
</context>
<context>
    <name>HostClocks</name>
    <message>
        <source>%1 s</source>
        <translation>%1 s</translation>
    </message>
    <message>
        <source>%1 ms</source>
        <translation>%1 ms</translation>
    </message>
    <message>
        <source>%1 %2 ± %3</source>
        <translation>%1 %2 ± %3</translation>
    </message>
    <message>
        <source>Clocks: %1</source>
        <translation>时钟：%1</translation>
    </message>
    <message>
        <source>By how much each host&apos;s clock was ahead of rank 0&apos;s. All times are on rank 0&apos;s clock. Events on different hosts that are less than %1 apart may have happened in the opposite order.</source>
        <translation>各主机的时钟比 rank 0 的时钟快多少。所有时间均以 rank 0 的时钟为准。不同主机上相隔不到 %1 的两个事件，其先后次序可能相反。</translation>
    </message>
</context>
<context>
    <name>Interference</name>
    <message>
        <source>imported</source>
        <translation>导入</translation>
    </message>
    <message>
        <source>paused</source>
        <translation>暂停过</translation>
    </message>
    <message>
        <source>slowed down</source>
        <translation>人为减慢</translation>
    </message>
    <message>
        <source>link changed</source>
        <translation>链路改过</translation>
    </message>
</context>
<context>
    <name>Laboratory</name>
    <message>
        <source>no name and number</source>
        <translation>没有姓名和学号</translation>
    </message>
    <message>
        <source>not read</source>
        <translation>未阅读</translation>
    </message>
    <message>
        <source>no answer</source>
        <translation>没有答案</translation>
    </message>
    <message>
        <source>no prediction</source>
        <translation>没有预测</translation>
    </message>
    <message>
        <source>no runs</source>
        <translation>没有运行</translation>
    </message>
    <message>
        <source>no claim</source>
        <translation>没有论断</translation>
    </message>
    <message>
        <source>hidden by the laboratory</source>
        <translation>已被实验隐藏</translation>
    </message>
    <message>
        <source>no right code</source>
        <translation>代码尚不正确</translation>
    </message>
    <message>
        <source>Changes of what was sealed are noticed when the hand-in is read. Seals that were all made again are noticed only by the seal codes collected in class.</source>
        <translation>封存内容若被改动，读取提交文件时会被发现。若全部重新生成，只有核对课上收集的封存码才能发现。</translation>
    </message>
</context>
<context>
    <name>LaboratoryText</name>
    <message>
        <source>Epoch</source>
        <translation>轮次</translation>
    </message>
    <message>
        <source>Time (s)</source>
        <translation>时间（s）</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>步数</translation>
    </message>
    <message>
        <source>Accuracy (%)</source>
        <translation>准确率（%）</translation>
    </message>
    <message>
        <source>Training loss</source>
        <translation>训练损失</translation>
    </message>
    <message>
        <source>Test loss</source>
        <translation>测试损失</translation>
    </message>
    <message>
        <source>Loss</source>
        <translation>损失</translation>
    </message>
    <message>
        <source>sealed</source>
        <translation>已封存</translation>
    </message>
    <message>
        <source>has run</source>
        <translation>已运行</translation>
    </message>
    <message>
        <source>answered</source>
        <translation>已作答</translation>
    </message>
    <message>
        <source>claimed</source>
        <translation>已给出论断</translation>
    </message>
    <message>
        <source>read</source>
        <translation>已读</translation>
    </message>
    <message>
        <source>predict first</source>
        <translation>先作预测</translation>
    </message>
    <message>
        <source>ready to run</source>
        <translation>可以运行</translation>
    </message>
    <message>
        <source>to predict</source>
        <translation>待预测</translation>
    </message>
    <message>
        <source>to run</source>
        <translation>待运行</translation>
    </message>
    <message>
        <source>to answer</source>
        <translation>待作答</translation>
    </message>
    <message>
        <source>to claim</source>
        <translation>待给出论断</translation>
    </message>
    <message>
        <source>to read</source>
        <translation>待阅读</translation>
    </message>
    <message>
        <source>times</source>
        <translation>倍</translation>
    </message>
    <message>
        <source>points</source>
        <translation>个百分点</translation>
    </message>
    <message>
        <source>%1 of %2, against that of %3:</source>
        <translation>%2 的%1，与 %3 相比：</translation>
    </message>
    <message>
        <source>Draw the %1 of %2 on the axes beside, with the mouse or the arrow keys.</source>
        <translation>请在右侧坐标轴上用鼠标或方向键画出 %2 的%1曲线。</translation>
    </message>
    <message>
        <source>%1: how many points is %2 above %3?</source>
        <translation>%1：%2 比 %3 高多少个百分点？</translation>
    </message>
    <message>
        <source>%1 of %2:</source>
        <translation>%2 的%1：</translation>
    </message>
    <message>
        <source>Holds</source>
        <translation>成立</translation>
    </message>
    <message>
        <source>Does not hold</source>
        <translation>不成立</translation>
    </message>
    <message>
        <source>Cannot be told</source>
        <translation>无法判断</translation>
    </message>
    <message>
        <source>Not measured yet</source>
        <translation>尚未测量</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <comment>step: what is missing</comment>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>%1. %2</source>
        <comment>judgement and sentence</comment>
        <translation>%1。%2</translation>
    </message>
    <message>
        <source>right</source>
        <translation>正确</translation>
    </message>
    <message>
        <source>to write</source>
        <translation>待编写</translation>
    </message>
    <message>
        <source>Message size</source>
        <translation>消息大小</translation>
    </message>
    <message>
        <source>Time per call (ms)</source>
        <translation>每次调用耗时（ms）</translation>
    </message>
    <message>
        <source>%1, optional</source>
        <comment>state of a step</comment>
        <translation>%1，选做</translation>
    </message>
    <message>
        <source>%1 (optional)</source>
        <comment>title of a step</comment>
        <translation>%1（选做）</translation>
    </message>
    <message>
        <source>%1, from the lowest to the highest:</source>
        <translation>%1，从小到大：</translation>
    </message>
    <message>
        <source>%1: how many times as large for %2 as for %3?</source>
        <translation>%1：%2 是 %3 的多少倍？</translation>
    </message>
    <message>
        <source>Key: %1</source>
        <translation>答案：%1</translation>
    </message>
    <message>
        <source>Tolerance: %1 %</source>
        <translation>允许误差：%1 %</translation>
    </message>
    <message>
        <source>Points: %1</source>
        <translation>分值：%1</translation>
    </message>
    <message>
        <source>Rubric: %1</source>
        <translation>评分标准：%1</translation>
    </message>
</context>
<context>
    <name>MachineCharts</name>
    <message>
        <source>workbench</source>
        <translation>工作台</translation>
    </message>
    <message>
        <source>whole machine</source>
        <translation>整机</translation>
    </message>
    <message>
        <source>%1, memory</source>
        <translation>%1，显存</translation>
    </message>
    <message>
        <source>%1, limit</source>
        <translation>%1，上限</translation>
    </message>
    <message>
        <source>%1 on %2</source>
        <translation>%1，%2</translation>
    </message>
    <message>
        <source>%1, total in use</source>
        <translation>%1，已占用总量</translation>
    </message>
    <message>
        <source>rank %1</source>
        <translation>rank %1</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1（%2）</translation>
    </message>
    <message>
        <source>GPU %1</source>
        <translation>GPU %1</translation>
    </message>
    <message>
        <source>GPU %1 (%2)</source>
        <translation>GPU %1（%2）</translation>
    </message>
    <message>
        <source>the power limit (%1 % of the samples)</source>
        <translation>功率上限（占采样的 %1 %）</translation>
    </message>
    <message>
        <source>temperature (%1 % of the samples)</source>
        <translation>温度（占采样的 %1 %）</translation>
    </message>
    <message>
        <source>the hardware (%1 % of the samples)</source>
        <translation>硬件（占采样的 %1 %）</translation>
    </message>
    <message>
        <source>Clocks limited by %1</source>
        <translation>频率受限原因：%1</translation>
    </message>
    <message>
        <source>Time since the first step</source>
        <translation>自第一步起的时间</translation>
    </message>
    <message>
        <source>cores</source>
        <translation>核心</translation>
    </message>
    <message>
        <source>CPU cores in use</source>
        <translation>CPU 使用核数</translation>
    </message>
    <message>
        <source>Memory per rank (PSS)</source>
        <translation>每个 rank 的内存（PSS）</translation>
    </message>
    <message>
        <source>GPU utilisation</source>
        <translation>GPU 利用率</translation>
    </message>
    <message>
        <source>GPU memory per rank</source>
        <translation>每个 rank 的 GPU 内存</translation>
    </message>
    <message>
        <source>GPU power</source>
        <translation>GPU 功率</translation>
    </message>
    <message>
        <source>GPU temperature</source>
        <translation>GPU 温度</translation>
    </message>
    <message>
        <source>GPU clock</source>
        <translation>GPU 频率</translation>
    </message>
    <message>
        <source>Mean and range of each run; show one run alone to see every curve</source>
        <translation>每次运行的均值与范围；只显示一次运行时可见每条曲线</translation>
    </message>
    <message>
        <source>Without the turns of other runs</source>
        <translation>不含其他运行占用的轮次</translation>
    </message>
    <message>
        <source>Some runs under MPS; in the others ranks that share a GPU took turns</source>
        <translation>部分运行使用 MPS；其余运行中共用 GPU 的 rank 轮流运行</translation>
    </message>
    <message>
        <source>Under MPS: ranks that share a GPU ran at the same time</source>
        <translation>使用 MPS：共用 GPU 的 rank 同时运行</translation>
    </message>
    <message>
        <source>Without MPS: ranks that share a GPU took turns</source>
        <translation>未用 MPS：共用 GPU 的 rank 轮流运行</translation>
    </message>
</context>
<context>
    <name>MemoryCharts</name>
    <message>
        <source>parameters</source>
        <translation>参数</translation>
    </message>
    <message>
        <source>gradients</source>
        <translation>梯度</translation>
    </message>
    <message>
        <source>optimizer state</source>
        <translation>优化器状态</translation>
    </message>
    <message>
        <source>activations</source>
        <translation>激活值</translation>
    </message>
    <message>
        <source>%1, formula</source>
        <translation>%1（公式）</translation>
    </message>
    <message>
        <source>formula</source>
        <translation>公式</translation>
    </message>
    <message>
        <source>cuBLAS workspace</source>
        <translation>cuBLAS 工作区</translation>
    </message>
    <message>
        <source>data and buffers, to the peak</source>
        <translation>数据与缓冲区，至峰值</translation>
    </message>
    <message>
        <source>After a step; activations at peak; libraries not drawn</source>
        <translation>一步之后的值；激活值取峰值；未画出各个库</translation>
    </message>
</context>
<context>
    <name>Messages</name>
    <message>
        <source>all ranks are on one host, so hierarchical is shared memory alone</source>
        <translation>所有 rank 都在一台主机上，因此 hierarchical 就是共享内存</translation>
    </message>
    <message>
        <source>hosts %1</source>
        <translation>主机 %1</translation>
    </message>
    <message>
        <source>hosts %1, with one rank each</source>
        <translation>主机 %1，每台一个 rank</translation>
    </message>
    <message>
        <source>queued</source>
        <translation>排队中</translation>
    </message>
    <message>
        <source>shared memory on each of the hosts %1, gloo between them</source>
        <translation>主机 %1 各自内部用共享内存，主机之间用 gloo</translation>
    </message>
    <message>
        <source>starting</source>
        <translation>正在启动</translation>
    </message>
    <message>
        <source>running</source>
        <translation>运行中</translation>
    </message>
    <message>
        <source>paused</source>
        <translation>已暂停</translation>
    </message>
    <message>
        <source>stopping</source>
        <translation>正在停止</translation>
    </message>
    <message>
        <source>finished</source>
        <translation>已完成</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>失败</translation>
    </message>
    <message>
        <source>stopped</source>
        <translation>已停止</translation>
    </message>
    <message>
        <source>interrupted</source>
        <translation>已中断</translation>
    </message>
    <message>
        <source>slowed</source>
        <translation>人为减慢</translation>
    </message>
    <message>
        <source>link</source>
        <translation>链路</translation>
    </message>
    <message>
        <source>%1 without a final report</source>
        <translation>%1（没有发出最终报告）</translation>
    </message>
    <message>
        <source>rank %1 closed its connection after step %2 without a final report</source>
        <translation>rank %1 在第 %2 步之后断开了连接，没有发出最终报告</translation>
    </message>
    <message>
        <source>rank %1 was silent for %2 s while starting (%3)</source>
        <translation>rank %1 启动时有 %2 s 没有消息（%3）</translation>
    </message>
    <message>
        <source>it has connected but not loaded its data</source>
        <translation>已连接，但未载入数据</translation>
    </message>
    <message>
        <source>it has not connected</source>
        <translation>没有连接</translation>
    </message>
    <message>
        <source>could not be started: %1</source>
        <translation>无法启动：%1</translation>
    </message>
    <message>
        <source>was ended before it had started</source>
        <translation>在启动之前被结束</translation>
    </message>
    <message>
        <source>ended with the process that it was forked from, which %1</source>
        <translation>随派生它的进程一起结束，该进程%1</translation>
    </message>
    <message>
        <source>the ranks are forked from the ready process</source>
        <translation>各 rank 由就绪进程派生</translation>
    </message>
    <message>
        <source>the ready process %1; the ranks are started without it, which takes longer</source>
        <translation>就绪进程%1；各 rank 不经它启动，耗时更长</translation>
    </message>
    <message>
        <source>was killed by signal %1 (%2)</source>
        <translation>被信号 %1（%2）终止</translation>
    </message>
    <message>
        <source>ended with exit code %1</source>
        <translation>退出，退出码 %1</translation>
    </message>
    <message>
        <source>there is no lockstep-rank beside this program, in LOCKSTEP_RANK or in PATH: build it with ./run</source>
        <translation>在本程序旁边、LOCKSTEP_RANK 和 PATH 中都没有 lockstep-rank：请用 ./run 构建</translation>
    </message>
    <message>
        <source>the run could not be stored</source>
        <translation>无法保存运行</translation>
    </message>
    <message>
        <source>stopped before it started</source>
        <translation>在开始之前被停止</translation>
    </message>
    <message>
        <source>the workbench ended during this run</source>
        <translation>运行期间工作台退出</translation>
    </message>
    <message>
        <source>the recording ends before the run does</source>
        <translation>记录在运行结束之前中断</translation>
    </message>
    <message>
        <source>the runs follow each other instead of taking turns (measure.interleave): %1</source>
        <translation>各运行依次进行而不交替（measure.interleave）：%1</translation>
    </message>
    <message>
        <source>together their %1 ranks need about %2 GB of %3, and %4 GB are free</source>
        <translation>它们的 %1 个 rank 共需约 %2 GB %3，而空闲 %4 GB</translation>
    </message>
    <message>
        <source>memory</source>
        <translation>内存</translation>
    </message>
    <message>
        <source>step %1: test accuracy %2 of %3 images</source>
        <translation>第 %1 步：测试准确率 %2（%3 张图像）</translation>
    </message>
    <message>
        <source>step %1: test accuracy %2 of %3 windows</source>
        <translation>第 %1 步：测试准确率 %2（%3 个窗口）</translation>
    </message>
    <message>
        <source>step %1 of %2: %3</source>
        <translation>第 %1/%2 步：%3</translation>
    </message>
    <message>
        <source>learning rate %1</source>
        <translation>学习率 %1</translation>
    </message>
    <message>
        <source>data %1 %</source>
        <translation>数据 %1 %</translation>
    </message>
    <message>
        <source>forward %1 %</source>
        <translation>前向 %1 %</translation>
    </message>
    <message>
        <source>backward %1 %</source>
        <translation>反向 %1 %</translation>
    </message>
    <message>
        <source>communicate %1 %</source>
        <translation>通信 %1 %</translation>
    </message>
    <message>
        <source>wait %1 %</source>
        <translation>等待 %1 %</translation>
    </message>
    <message>
        <source>optimize %1 %</source>
        <translation>更新 %1 %</translation>
    </message>
    <message>
        <source>%1 samples/s</source>
        <translation>%1 样本/s</translation>
    </message>
    <message>
        <source>%1; %2 with %3 weights on %4; %5 steps; %6 ranks, %7</source>
        <translation>%1；%2，%3 个权重，位于 %4；%5 步；%6 个 rank，%7</translation>
    </message>
    <message>
        <source>%1; %2 with %3 weights on %4; %5 steps</source>
        <translation>%1；%2，%3 个权重，位于 %4；%5 步</translation>
    </message>
    <message>
        <source>the partition was redrawn %1 times, until every rank had enough samples</source>
        <translation>重新抽取了 %1 次划分，直到每个 rank 都有足够的样本</translation>
    </message>
    <message>
        <source>resumes after step %1 from %2</source>
        <translation>从 %2 恢复，接在第 %1 步之后</translation>
    </message>
    <message>
        <source>verified: the loss is that of one process to within %1 over %2 steps; single processes that sum in other orders drift apart by %3</source>
        <translation>已验证：%2 步内损失与单进程相差不超过 %1；以不同顺序求和的单进程之间相差 %3</translation>
    </message>
    <message>
        <source>verified: the loss is that of one process to within %1 over %2 steps</source>
        <translation>已验证：%2 步内损失与单进程相差不超过 %1</translation>
    </message>
    <message>
        <source>no checkpoint is written: the run&apos;s own steps are done</source>
        <translation>不写检查点：该运行自己的步已完成</translation>
    </message>
    <message>
        <source>checkpoint of step %1: %2</source>
        <translation>第 %1 步的检查点：%2</translation>
    </message>
    <message>
        <source>the checkpoint of step %1 could not be written: %2</source>
        <translation>第 %1 步的检查点无法写入：%2</translation>
    </message>
    <message>
        <source>%1, %2 ranks, %3; %4 measurements</source>
        <translation>%1，%2 个 rank，%3；%4 次测量</translation>
    </message>
    <message>
        <source>rank %1: no CUDA graphs, because backward recomputes activations</source>
        <translation>rank %1：不使用 CUDA 图，因为反向传播要重计算激活值</translation>
    </message>
    <message>
        <source>LibTorch %1 was built with CUDA but finds no GPU here, so the CPU is used; lockstep doctor says more</source>
        <translation>LibTorch %1 支持 CUDA，但在本机找不到 GPU，因此使用 CPU；lockstep doctor 有更多说明</translation>
    </message>
    <message>
        <source>run store: %1 is not a Lockstep run</source>
        <translation>运行库：%1 不是 Lockstep 的运行</translation>
    </message>
    <message>
        <source>run store: %1 does not exist</source>
        <translation>运行库：%1 不存在</translation>
    </message>
    <message>
        <source>run store: Qt&apos;s SQLite driver is missing; install the package libqt6sql6-sqlite</source>
        <translation>运行库：缺少 Qt 的 SQLite 驱动；请安装软件包 libqt6sql6-sqlite</translation>
    </message>
    <message>
        <source>run store: %1 is a file; a store is a folder</source>
        <translation>运行库：%1 是文件，而运行库应为文件夹</translation>
    </message>
    <message>
        <source>run store: %1 cannot be written; choose another with --store</source>
        <translation>运行库：%1 不可写；请用 --store 另选</translation>
    </message>
    <message>
        <source>run store: a run %1 already exists</source>
        <translation>运行库：运行 %1 已存在</translation>
    </message>
    <message>
        <source>run store: %1 cannot be moved to %2: %3</source>
        <translation>运行存储：%1 无法移动到 %2：%3</translation>
    </message>
    <message>
        <source>run store: %1 has a damaged record</source>
        <translation>运行库：%1 的记录已损坏</translation>
    </message>
    <message>
        <source>run %1: no such run in %2</source>
        <translation>运行 %1：%2 中没有此运行</translation>
    </message>
    <message>
        <source>run %1 is in this store already</source>
        <translation>运行 %1 已在此运行库中</translation>
    </message>
    <message>
        <source>run %1: it is no longer among the deleted runs</source>
        <translation>运行 %1：已不在删除的运行之中</translation>
    </message>
    <message>
        <source>%1: no such file</source>
        <translation>%1：没有此文件</translation>
    </message>
    <message>
        <source>it is damaged: %1</source>
        <translation>已损坏：%1</translation>
    </message>
    <message>
        <source>%1 cannot be read: %2</source>
        <translation>无法读取 %1：%2</translation>
    </message>
    <message>
        <source>%1 is not a recording of lockstep-rank: %2</source>
        <translation>%1 不是 lockstep-rank 的记录：%2</translation>
    </message>
    <message>
        <source>%1 has no checkpoint</source>
        <translation>%1 没有检查点</translation>
    </message>
    <message>
        <source>not found</source>
        <translation>未找到</translation>
    </message>
    <message>
        <source>convolution and its gradient</source>
        <translation>卷积及其梯度</translation>
    </message>
    <message>
        <source>%1 does not work (%2): build it again with ./run --build-only.</source>
        <translation>%1 无法工作（%2）：请用 ./run --build-only 重新构建。</translation>
    </message>
    <message>
        <source>The BLAS library is not OpenBLAS: apt-get install libopenblas0-pthread makes training up to twice as fast.</source>
        <translation>BLAS 库不是 OpenBLAS：执行 apt-get install libopenblas0-pthread 可使训练快至两倍。</translation>
    </message>
    <message>
        <source>MNIST is not in %1: use Download MNIST in the window, set LOCKSTEP_MNIST, or train on the built-in digits.</source>
        <translation>%1 中没有 MNIST：可在窗口中点“下载 MNIST”，设置 LOCKSTEP_MNIST，或用内置的数字图像训练。</translation>
    </message>
    <message>
        <source>%1. Choose another folder with --store or LOCKSTEP_STORE.</source>
        <translation>%1。请用 --store 或 LOCKSTEP_STORE 另选文件夹。</translation>
    </message>
    <message>
        <source>%1 does not work on %2: %3.</source>
        <translation>%1 在 %2 上无法工作：%3。</translation>
    </message>
    <message>
        <source>GPU runs are possible here</source>
        <translation>本机可以在 GPU 上运行</translation>
    </message>
    <message>
        <source>this machine has no NVIDIA GPU, or this container cannot see it; runs use the CPU</source>
        <translation>本机没有 NVIDIA GPU，或此容器看不到它；运行使用 CPU</translation>
    </message>
    <message>
        <source>this machine has no NVIDIA GPU; runs use the CPU</source>
        <translation>本机没有 NVIDIA GPU；运行使用 CPU</translation>
    </message>
    <message>
        <source>no NVIDIA device on the PCI bus (in a virtual machine it would have to be passed through)</source>
        <translation>PCI 总线上没有 NVIDIA 设备（在虚拟机中需要直通）</translation>
    </message>
    <message>
        <source>the PCI bus cannot be seen from here, but NVIDIA&apos;s driver is loaded</source>
        <translation>此处看不到 PCI 总线，但 NVIDIA 驱动已载入</translation>
    </message>
    <message>
        <source>NVIDIA device on the PCI bus at %1</source>
        <translation>PCI 总线上的 NVIDIA 设备：%1</translation>
    </message>
    <message>
        <source>WSL with a GPU of Windows (/dev/dxg)</source>
        <translation>WSL，可用 Windows 的 GPU（/dev/dxg）</translation>
    </message>
    <message>
        <source>WSL without a GPU of Windows: /dev/dxg is missing</source>
        <translation>WSL，没有 Windows 的 GPU：缺少 /dev/dxg</translation>
    </message>
    <message>
        <source>WSL sees the GPU of Windows, but its NVIDIA driver does not answer; runs use the CPU</source>
        <translation>WSL 能看到 Windows 的 GPU，但 NVIDIA 驱动没有响应；运行使用 CPU</translation>
    </message>
    <message>
        <source>WSL sees no GPU; runs use the CPU</source>
        <translation>WSL 看不到 GPU；运行使用 CPU</translation>
    </message>
    <message>
        <source>the machine has an NVIDIA GPU, but this container was started without it; runs use the CPU</source>
        <translation>机器有 NVIDIA GPU，但此容器启动时没有带上它；运行使用 CPU</translation>
    </message>
    <message>
        <source>this container has the GPU&apos;s device nodes but not the driver&apos;s libraries; runs use the CPU</source>
        <translation>此容器有 GPU 的设备节点，但没有驱动库；运行使用 CPU</translation>
    </message>
    <message>
        <source>the NVIDIA driver&apos;s kernel module is loaded, but its libraries are missing; runs use the CPU</source>
        <translation>NVIDIA 驱动的内核模块已载入，但缺少驱动库；运行使用 CPU</translation>
    </message>
    <message>
        <source>there is an NVIDIA GPU but no driver for it; runs use the CPU</source>
        <translation>有 NVIDIA GPU，但没有驱动；运行使用 CPU</translation>
    </message>
    <message>
        <source>the NVIDIA driver is loaded, but its device nodes /dev/nvidia* are missing; runs use the CPU</source>
        <translation>NVIDIA 驱动已载入，但缺少设备节点 /dev/nvidia*；运行使用 CPU</translation>
    </message>
    <message>
        <source>the NVIDIA driver is installed but not loaded; runs use the CPU</source>
        <translation>NVIDIA 驱动已安装但未载入；运行使用 CPU</translation>
    </message>
    <message>
        <source>the nouveau driver holds the GPU, and CUDA does not run on it; runs use the CPU</source>
        <translation>GPU 由 nouveau 驱动占用，CUDA 无法在其上运行；运行使用 CPU</translation>
    </message>
    <message>
        <source>NVIDIA&apos;s libraries and its kernel module are of different versions; runs use the CPU</source>
        <translation>NVIDIA 的库与内核模块版本不同；运行使用 CPU</translation>
    </message>
    <message>
        <source>this user may not open the GPU&apos;s device nodes; runs use the CPU</source>
        <translation>当前用户无权打开 GPU 的设备节点；运行使用 CPU</translation>
    </message>
    <message>
        <source>the NVIDIA driver runs but has no GPU that it can use; runs use the CPU</source>
        <translation>NVIDIA 驱动在运行，但没有可用的 GPU；运行使用 CPU</translation>
    </message>
    <message>
        <source>the NVIDIA driver does not answer; runs use the CPU</source>
        <translation>NVIDIA 驱动没有响应；运行使用 CPU</translation>
    </message>
    <message>
        <source>CUDA_VISIBLE_DEVICES hides every GPU; runs use the CPU</source>
        <translation>CUDA_VISIBLE_DEVICES 隐藏了所有 GPU；运行使用 CPU</translation>
    </message>
    <message>
        <source>there is a GPU, but no rank program that uses it; runs use the CPU</source>
        <translation>有 GPU，但没有能使用它的 rank 程序；运行使用 CPU</translation>
    </message>
    <message>
        <source>the rank program for GPUs does not work; runs use the CPU</source>
        <translation>用于 GPU 的 rank 程序无法工作；运行使用 CPU</translation>
    </message>
    <message>
        <source>LibTorch cannot use the GPU; runs use the CPU</source>
        <translation>LibTorch 无法使用 GPU；运行使用 CPU</translation>
    </message>
    <message>
        <source>the NVIDIA driver is too old for this LibTorch; runs use the CPU</source>
        <translation>NVIDIA 驱动对此 LibTorch 来说过旧；运行使用 CPU</translation>
    </message>
    <message>
        <source>LibTorch has no code for this GPU; runs use the CPU</source>
        <translation>LibTorch 没有适用于此 GPU 的代码；运行使用 CPU</translation>
    </message>
    <message>
        <source>Unset CUDA_VISIBLE_DEVICES, or set it to the numbers of the GPUs to use, for example 0.</source>
        <translation>取消 CUDA_VISIBLE_DEVICES，或设为要使用的 GPU 编号，例如 0。</translation>
    </message>
    <message>
        <source>Restart the machine: the driver was updated, and the old one is still loaded.</source>
        <translation>请重启机器：驱动已更新，而载入的仍是旧版本。</translation>
    </message>
    <message>
        <source>Let this user open /dev/nvidia*: `sudo usermod -aG video,render $USER`, then log in again.</source>
        <translation>允许当前用户打开 /dev/nvidia*：执行 `sudo usermod -aG video,render $USER`，然后重新登录。</translation>
    </message>
    <message>
        <source>Run `sudo nvidia-modprobe -u -c 0`, or `sudo nvidia-smi` once, to create them.</source>
        <translation>执行一次 `sudo nvidia-modprobe -u -c 0` 或 `sudo nvidia-smi` 以创建它们。</translation>
    </message>
    <message>
        <source>Install NVIDIA&apos;s driver and restart: on Ubuntu `sudo ubuntu-drivers install`; on Debian add `contrib non-free non-free-firmware` to the sources, then `sudo apt install linux-headers-amd64 nvidia-driver`. Afterwards `nvidia-smi` must list the GPU.</source>
        <translation>安装 NVIDIA 驱动并重启：Ubuntu 上执行 `sudo ubuntu-drivers install`；Debian 上在软件源中加入 `contrib non-free non-free-firmware`，再执行 `sudo apt install linux-headers-amd64 nvidia-driver`。之后 `nvidia-smi` 应能列出 GPU。</translation>
    </message>
    <message>
        <source>%1, runs programs up to CUDA %2</source>
        <translation>%1，可运行到 CUDA %2 的程序</translation>
    </message>
    <message>
        <source>%1, built with CUDA %2, for %3</source>
        <translation>%1，支持 CUDA %2，架构 %3</translation>
    </message>
    <message>
        <source>%1, built with CUDA %2</source>
        <translation>%1，支持 CUDA %2</translation>
    </message>
    <message>
        <source>not linked: several GPUs are joined by shm and gloo</source>
        <translation>未链接：多个 GPU 之间用 shm 和 gloo</translation>
    </message>
    <message>
        <source>%1: one rank per GPU; several with NCCL_MULTI_RANK_GPU_ENABLE=1, which is experimental</source>
        <translation>%1：每个 GPU 一个 rank；设置 NCCL_MULTI_RANK_GPU_ENABLE=1 可有多个，属实验性功能</translation>
    </message>
    <message>
        <source>%1: one rank per GPU; several ranks on one GPU use shm (2.30 and later support them experimentally)</source>
        <translation>%1：每个 GPU 一个 rank；多个 rank 共用一个 GPU 时改用 shm（2.30 起实验性支持）</translation>
    </message>
    <message>
        <source>possible between ranks of one run (backend shm)</source>
        <translation>同一次运行的 rank 之间可用（后端 shm）</translation>
    </message>
    <message>
        <source>possible between ranks of one run (backend shm); ranks in separate containers need --ipc=host and --pid=host</source>
        <translation>同一次运行的 rank 之间可用（后端 shm）；不同容器中的 rank 需要 --ipc=host 和 --pid=host</translation>
    </message>
    <message>
        <source>not between MIG slices: ranks on different slices use gloo</source>
        <translation>MIG 切片之间不可用：不同切片上的 rank 使用 gloo</translation>
    </message>
    <message>
        <source>runs: kernels of ranks that share a GPU can run at the same time</source>
        <translation>运行中：共享 GPU 的各 rank 的核函数可同时执行</translation>
    </message>
    <message>
        <source>not found, and not needed to run: LibTorch includes CUDA&apos;s libraries</source>
        <translation>未找到，运行时也不需要：LibTorch 自带 CUDA 的库</translation>
    </message>
    <message>
        <source>the driver runs CUDA %1 and everything older</source>
        <translation>驱动可运行 CUDA %1 及更早的版本</translation>
    </message>
    <message>
        <source>hardware</source>
        <translation>硬件</translation>
    </message>
    <message>
        <source>driver</source>
        <translation>驱动</translation>
    </message>
    <message>
        <source>fits</source>
        <translation>匹配</translation>
    </message>
    <message>
        <source>slice</source>
        <translation>切片</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is neither a preset (%2) nor a file; did you mean &quot;%3&quot;?</source>
        <translation>“%1”既不是预设（%2）也不是文件；是否指“%3”？</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is neither a preset (%2) nor a file</source>
        <translation>“%1”既不是预设（%2）也不是文件</translation>
    </message>
    <message>
        <source>%1: cannot be read: %2</source>
        <translation>%1：无法读取：%2</translation>
    </message>
    <message>
        <source>it is a folder</source>
        <translation>这是一个文件夹</translation>
    </message>
    <message>
        <source>%1: is larger than 4 MiB, too large for a spec</source>
        <translation>%1：超过 4 MiB，作为实验配置过大</translation>
    </message>
    <message>
        <source>%1: is both set and varied; give it to --set or to --vary</source>
        <translation>%1：同时出现在 --set 和 --vary 中，只能用其一</translation>
    </message>
    <message>
        <source>resume: needs one run, for example: lockstep resume last</source>
        <translation>resume：需要一个运行，例如：lockstep resume last</translation>
    </message>
    <message>
        <source>weights: needs one run, for example: lockstep weights last</source>
        <translation>weights：需要一个运行，例如：lockstep weights last</translation>
    </message>
    <message>
        <source>there is no run %1 in %2</source>
        <translation>%2 中没有运行 %1</translation>
    </message>
    <message>
        <source>%1 matches %2 runs; give more of the id (lockstep runs lists them)</source>
        <translation>%1 与 %2 个运行相符；请给出更长的编号（用 lockstep runs 列出）</translation>
    </message>
    <message>
        <source>%1: &quot;%2&quot; is an unexpected argument</source>
        <translation>%1：不需要参数“%2”</translation>
    </message>
    <message>
        <source>bench: %1; it measures: collectives</source>
        <translation>bench：%1；可测量：collectives</translation>
    </message>
    <message>
        <source>nothing to measure</source>
        <translation>没有要测量的内容</translation>
    </message>
    <message>
        <source>run %1: no such run in %2; `lockstep runs` lists them</source>
        <translation>运行 %1：%2 中没有此运行；用 `lockstep runs` 列出全部运行</translation>
    </message>
    <message>
        <source>run %1: several runs match in %2; `lockstep runs` lists them</source>
        <translation>运行 %1：%2 中有多个以此开头的运行；用 `lockstep runs` 列出全部运行</translation>
    </message>
    <message>
        <source>the store %1 has no run yet; `lockstep run optimizers` makes some</source>
        <translation>运行库 %1 中还没有运行；可先执行 `lockstep run optimizers`</translation>
    </message>
    <message>
        <source>rank %1: %2</source>
        <translation>rank %1：%2</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>%1, built from messages over an emulated link</source>
        <translation>%1，在模拟链路上由点对点消息组成</translation>
    </message>
    <message>
        <source>%1, %2 + %3 windows of %4 bytes</source>
        <translation>%1，%2 + %3 个 %4 字节的窗口</translation>
    </message>
    <message>
        <source>the ranks run on the CPU</source>
        <translation>rank 在 CPU 上运行</translation>
    </message>
    <message>
        <source>waiting</source>
        <translation>等待中</translation>
    </message>
    <message>
        <source>damaged</source>
        <translation>已损坏</translation>
    </message>
    <message>
        <source>queue: there is no entry %1; lockstep queue list shows them</source>
        <translation>队列：没有第 %1 项；lockstep queue list 列出所有项</translation>
    </message>
    <message>
        <source>queue: entry %1 is already running and cannot be moved</source>
        <translation>队列：第 %1 项已在运行，不能移动</translation>
    </message>
    <message>
        <source>queue: %1 is not a position in the queue</source>
        <translation>队列：%1 不是队列中的位置</translation>
    </message>
    <message>
        <source>queue: entry %1 is running; stop ends it and takes it out of the queue</source>
        <translation>队列：第 %1 项正在运行；用 stop 停止并移出队列</translation>
    </message>
    <message>
        <source>queue: entry %1 is not running and would not start by itself</source>
        <translation>队列：第 %1 项未在运行，也不会自动开始</translation>
    </message>
    <message>
        <source>queue: entry %1: %2; remove takes it out of the queue</source>
        <translation>队列：第 %1 项：%2；用 remove 移出队列</translation>
    </message>
    <message>
        <source>queue: entry %1 is not running; remove takes it out of the queue</source>
        <translation>队列：第 %1 项未在运行；用 remove 移出队列</translation>
    </message>
    <message>
        <source>queue: its owner does not answer</source>
        <translation>队列：执行队列的进程没有应答</translation>
    </message>
    <message>
        <source>queue: its owner has just ended</source>
        <translation>队列：执行队列的进程刚刚结束</translation>
    </message>
    <message>
        <source>queue: process %1 holds the queue of %2 and does not listen; end that process</source>
        <translation>队列：进程 %1 占有 %2 的队列，但不接受连接；请结束该进程</translation>
    </message>
    <message>
        <source>queue: process %1 is already running it</source>
        <translation>队列：进程 %1 已在执行</translation>
    </message>
    <message>
        <source>queue: %1 is from a later version of Lockstep</source>
        <translation>队列：%1 来自更新版本的 Lockstep</translation>
    </message>
    <message>
        <source>queue: %1 cannot be opened: %2</source>
        <translation>队列：无法打开 %1：%2</translation>
    </message>
    <message>
        <source>queue: %1 cannot be locked: %2</source>
        <translation>队列：无法锁定 %1：%2</translation>
    </message>
    <message>
        <source>queue: cannot listen on %1: %2</source>
        <translation>队列：无法在 %1 上监听：%2</translation>
    </message>
    <message>
        <source>this entry cannot be read: %1</source>
        <translation>无法读取此项：%1</translation>
    </message>
    <message>
        <source>%1; confirm it by running the experiment once</source>
        <translation>%1；请先运行一次该实验以确认</translation>
    </message>
    <message>
        <source>every rank has its own GPU</source>
        <translation>每个 rank 有自己的 GPU</translation>
    </message>
    <message>
        <source>processes cannot open each other&apos;s memory (CUDA IPC) on %1</source>
        <translation>在 %1 上各进程不能互相打开内存（CUDA IPC）</translation>
    </message>
    <message>
        <source>CUDA IPC does not work between slices of a GPU (MIG)</source>
        <translation>CUDA IPC 不能用于 GPU 的切片之间（MIG）</translation>
    </message>
    <message>
        <source>%1; MPS runs their kernels side by side</source>
        <translation>%1；MPS 让它们的核函数同时运行</translation>
    </message>
    <message>
        <source>%1, which NCCL refuses without comm.nccl_shared_gpu</source>
        <translation>%1，未设 comm.nccl_shared_gpu 时 NCCL 不允许</translation>
    </message>
    <message>
        <source>%1, which NCCL refuses</source>
        <translation>%1，NCCL 不允许</translation>
    </message>
    <message>
        <source>%1, as comm.nccl_shared_gpu asks</source>
        <translation>%1，按 comm.nccl_shared_gpu 的要求</translation>
    </message>
    <message>
        <source>this lockstep-rank has no NCCL</source>
        <translation>此 lockstep-rank 没有 NCCL</translation>
    </message>
    <message>
        <source>the GPUs are unequal (%1): the ranks wait for the slowest, and the smallest is full first</source>
        <translation>各 GPU 不相同（%1）：所有 rank 都要等最慢的一个，内存最小的一个最先占满</translation>
    </message>
    <message>
        <source>%1 has %2, and its rank takes about %3 without what CUDA keeps for itself: the run may run out of memory; use a smaller train.batch, more GPUs, or a strategy that splits the model</source>
        <translation>%1 有 %2，其上的 rank 约需 %3，还不含 CUDA 自身占用的部分：运行可能内存不足；请减小 train.batch、使用更多 GPU，或选用划分模型的策略</translation>
    </message>
    <message>
        <source>%1 ranks share %2 through NCCL, which expects %3: it hangs where they together ask for more multiprocessors than the GPU has; NCCL_MAX_CTAS limits what each takes</source>
        <translation>%1 个 rank 通过 NCCL 共用 %2，而 NCCL 预期为 %3 个：它们要求的多处理器总数超过 GPU 所有时会卡住；NCCL_MAX_CTAS 限制每个 rank 占用的数量</translation>
    </message>
    <message>
        <source>%1 ranks share %2, more than the %3 that have been tried: each uses some hundred MB for CUDA alone, and they take turns</source>
        <translation>%1 个 rank 共用 %2，超过试验过的 %3 个：仅 CUDA 本身每个就占用几百 MB，而且它们轮流执行</translation>
    </message>
    <message>
        <source>%1 (%2) has compute capability %3, and LibTorch %4 has kernels for %5: it cannot compute there; use device cpu, or a LibTorch that supports it</source>
        <translation>%1（%2）的计算能力为 %3，而 LibTorch %4 的核函数支持 %5：无法在其上计算；请用 device cpu，或支持它的 LibTorch</translation>
    </message>
    <message>
        <source>slices of a GPU (MIG) cannot read each other&apos;s memory, so all that the ranks send goes through host memory: ranks that share one slice, or the whole GPU without MIG, are faster</source>
        <translation>GPU 的切片（MIG）不能互相读取内存，因此 rank 发送的数据都经过主机内存：让各 rank 共用一个切片，或关闭 MIG 使用整个 GPU，会更快</translation>
    </message>
    <message>
        <source>%1 does not exist: LibTorch %2 finds no GPU on this machine (lockstep doctor says more); use auto or cpu</source>
        <translation>%1 不存在：LibTorch %2 在本机找不到 GPU（lockstep doctor 有更多说明）；请用 auto 或 cpu</translation>
    </message>
    <message>
        <source>%1 does not exist: this machine has %2 GPUs (%3); use one of them, auto or cpu</source>
        <translation>%1 不存在：本机有 %2 个 GPU（%3）；请用其中之一、auto 或 cpu</translation>
    </message>
    <message>
        <source>%1 cannot be used: %2; use another GPU or cpu</source>
        <translation>%1 无法使用：%2；请用另一个 GPU 或 cpu</translation>
    </message>
    <message>
        <source>%1 cannot be used by this process: %2</source>
        <translation>本进程无法使用 %1：%2</translation>
    </message>
    <message>
        <source>%1 and %2 cannot read each other&apos;s memory</source>
        <translation>%1 和 %2 不能互相读取内存</translation>
    </message>
    <message>
        <source>%1, at step %2</source>
        <translation>%1，在第 %2 步</translation>
    </message>
    <message>
        <source>%1, after %2 steps</source>
        <translation>%1，在 %2 步之后</translation>
    </message>
    <message>
        <source>the event file is cut short: the complete part was imported</source>
        <translation>事件文件不完整：已导入其中完整的部分</translation>
    </message>
    <message>
        <source>rank %1 never entered %2 number %3, the others waited %4 s</source>
        <translation>rank %1 从未进入第 %3 次 %2，其他 rank 等待了 %4 s</translation>
    </message>
    <message>
        <source>rank %1 never entered %2 number %3 of ranks %4, the others waited %5 s</source>
        <translation>rank %1 从未进入 rank %4 之间的第 %3 次 %2，其他 rank 等待了 %5 s</translation>
    </message>
    <message>
        <source>rank %1 never entered send number %2 to rank %3, which waited %4 s</source>
        <translation>rank %1 从未进入对 rank %3 的第 %2 次 send，后者等待了 %4 s</translation>
    </message>
    <message>
        <source>rank %1 never entered recv number %2 from rank %3, which waited %4 s</source>
        <translation>rank %1 从未进入来自 rank %3 的第 %2 次 recv，后者等待了 %4 s</translation>
    </message>
    <message>
        <source>did not enter %1, as fault.skip_collective asks</source>
        <translation>按 fault.skip_collective 的设置，没有进入 %1</translation>
    </message>
    <message>
        <source>follows a call that this rank did not enter</source>
        <translation>排在该 rank 未进入的一次调用之后</translation>
    </message>
    <message>
        <source>true or false</source>
        <translation> true 或 false</translation>
    </message>
    <message>
        <source>an integer in %1</source>
        <translation> %1 中的整数</translation>
    </message>
    <message>
        <source>an integer</source>
        <translation>整数</translation>
    </message>
    <message>
        <source>a number in %1</source>
        <translation> %1 中的数</translation>
    </message>
    <message>
        <source>a number</source>
        <translation>一个数</translation>
    </message>
    <message>
        <source>one of %1</source>
        <translation>以下之一：%1</translation>
    </message>
    <message>
        <source>auto, cpu or cuda:N</source>
        <translation> auto、cpu 或 cuda:N</translation>
    </message>
    <message>
        <source>a string</source>
        <translation>字符串</translation>
    </message>
    <message>
        <source>a path</source>
        <translation>一个路径</translation>
    </message>
    <message>
        <source>a list of integers (0,2,3)</source>
        <translation>整数列表（0,2,3）</translation>
    </message>
    <message>
        <source>a list of integers (0,2,3) in %1</source>
        <translation>整数列表（0,2,3），取值范围 %1</translation>
    </message>
    <message>
        <source>a list of numbers (0.5,0.25,0.25)</source>
        <translation>数的列表（0.5,0.25,0.25）</translation>
    </message>
    <message>
        <source>a list of numbers (0.5,0.25,0.25) in %1</source>
        <translation>数的列表（0.5,0.25,0.25），取值范围 %1</translation>
    </message>
    <message>
        <source>true, false, a number or a string</source>
        <translation> true、false、数或字符串</translation>
    </message>
    <message>
        <source>version: %1; this program reads version %2</source>
        <translation>版本为 %1，本程序可读取版本 %2</translation>
    </message>
    <message>
        <source>experiment is missing; allowed: %1, or the name of a preset</source>
        <translation>缺少 experiment；可用：%1 或预设的名称</translation>
    </message>
    <message>
        <source>experiment: %1 is not one of %2</source>
        <translation>experiment：%1 不是下列之一：%2</translation>
    </message>
    <message>
        <source>variants is not a list</source>
        <translation>variants 不是列表</translation>
    </message>
    <message>
        <source>every variant needs a name, this one has none: %1</source>
        <translation>每个变体都需要名称，而此变体没有：%1</translation>
    </message>
    <message>
        <source>two variants are named %1</source>
        <translation>有两个变体都名为 %1</translation>
    </message>
    <message>
        <source>variant %1: group: %2 is not a string</source>
        <translation>变体 %1：group：%2 不是字符串</translation>
    </message>
    <message>
        <source>variant %1: enabled: %2 is not true or false</source>
        <translation>变体 %1：enabled：%2 不是 true 或 false</translation>
    </message>
    <message>
        <source>%1: %2 is not a text, nor an object with en and zh</source>
        <translation>%1：%2 既不是文本，也不是带有 en 和 zh 的对象</translation>
    </message>
    <message>
        <source>variants times repeats give more than %1 runs</source>
        <translation>变体数乘以重复次数超过 %1 次运行</translation>
    </message>
    <message>
        <source>it has variants; a rank runs one spec without them (lockstep run takes them all)</source>
        <translation>其中含有变体；一个 rank 只运行一份不含变体的实验配置（lockstep run 可运行全部变体）</translation>
    </message>
    <message>
        <source>%1: no such preset; allowed: %2</source>
        <translation>没有预设 %1；可用：%2</translation>
    </message>
    <message>
        <source>the variants (%1) differ by it; choose one with --only NAME to set it</source>
        <translation>各变体（%1）的区别正在于此；用 --only NAME 选定一个后再设置</translation>
    </message>
    <message>
        <source>none is enabled; choose some with --only NAME</source>
        <translation>没有启用任何变体；用 --only NAME 选择</translation>
    </message>
    <message>
        <source>%1 is not known</source>
        <translation>未知：%1</translation>
    </message>
    <message>
        <source>is varied twice; give all its values in one list</source>
        <translation>取值给出了两次；请把所有取值写在一个列表中</translation>
    </message>
    <message>
        <source>cannot be varied, because variants set it already (%1); choose one of them with --only NAME</source>
        <translation>不能变化，因为变体已经设置了它（%1）；用 --only NAME 选定一个</translation>
    </message>
    <message>
        <source>variants times repeats give %1 runs; at most %2 are allowed</source>
        <translation>变体数乘以重复次数为 %1 次运行；最多允许 %2 次</translation>
    </message>
    <message>
        <source>%1 is given twice</source>
        <translation>%1 给出了两次</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is not KEY=VALUE,VALUE</source>
        <translation>“%1”不是 KEY=VALUE,VALUE 的形式</translation>
    </message>
    <message>
        <source>cannot be varied; every variant has the same number: --set repeats=3</source>
        <translation>不能变化；每个变体的重复次数相同：`--set repeats=3`</translation>
    </message>
    <message>
        <source>a range needs a numeric parameter; this one takes %1</source>
        <translation>范围只适用于数值参数，而此参数接受%1</translation>
    </message>
    <message>
        <source>%1 values are outside [2, %2]</source>
        <translation>%1 个取值超出范围 [2, %2]</translation>
    </message>
    <message>
        <source>a range needs two numbers that differ</source>
        <translation>区间需要两个不同的数</translation>
    </message>
    <message>
        <source>a logarithmic range needs numbers above 0</source>
        <translation>对数区间需要大于 0 的数</translation>
    </message>
    <message>
        <source>has no effect in this experiment: it runs single processes</source>
        <translation>在此实验中不起作用：它运行单进程</translation>
    </message>
    <message>
        <source>has no effect in this experiment: it applies where %1</source>
        <translation>在此实验中不起作用：适用条件为 %1</translation>
    </message>
    <message>
        <source>has no effect in this run: it applies where %1</source>
        <translation>在此运行中不起作用：适用条件为 %1</translation>
    </message>
    <message>
        <source>has no effect in %1: it applies where %2</source>
        <translation>在 %1 中不起作用：适用条件为 %2</translation>
    </message>
    <message>
        <source>nccl, but this lockstep-rank was built without NCCL; use auto, shm or gloo</source>
        <translation>设为 nccl，但此 lockstep-rank 构建时没有 NCCL；请使用 auto、shm 或 gloo</translation>
    </message>
    <message>
        <source>nccl needs a GPU for each rank, and %1; use auto or shm, or no more ranks than GPUs, or set comm.nccl_shared_gpu, which is experimental</source>
        <translation>nccl 要求每个 rank 有一个 GPU，而 %1；请用 auto 或 shm，或让 rank 数不超过 GPU 数，或设置 comm.nccl_shared_gpu（实验性）</translation>
    </message>
    <message>
        <source>nccl needs a GPU for each rank, and %1; use auto or shm, or no more ranks than GPUs</source>
        <translation>nccl 要求每个 rank 有一个 GPU，而 %1；请用 auto 或 shm，或让 rank 数不超过 GPU 数</translation>
    </message>
    <message>
        <source>needs NCCL %1 or later, and this lockstep-rank was built without NCCL; leave it off and use comm.backend auto or shm</source>
        <translation>需要 NCCL %1 或更高版本，而此 lockstep-rank 构建时没有 NCCL；请关闭此项，comm.backend 使用 auto 或 shm</translation>
    </message>
    <message>
        <source>needs NCCL %1 or later, and this is %2; leave it off and use comm.backend auto or shm</source>
        <translation>需要 NCCL %1 或更高版本，而当前为 %2；请关闭此项，comm.backend 使用 auto 或 shm</translation>
    </message>
    <message>
        <source>shm cannot carry the memory of these GPUs: %1; use auto or gloo</source>
        <translation>shm 无法传输这些 GPU 的内存：%1；请使用 auto 或 gloo</translation>
    </message>
    <message>
        <source>%1 deadlocks at stage %2</source>
        <translation>%1 在阶段 %2 死锁</translation>
    </message>
    <message>
        <source>%1 does not exist; a text is one file</source>
        <translation>%1 不存在；文本应为单个文件</translation>
    </message>
    <message>
        <source>%1 is not a file; a text is one file</source>
        <translation>%1 不是文件；文本应为单个文件</translation>
    </message>
    <message>
        <source>%1 has %2 bytes; a text may have %3</source>
        <translation>%1 有 %2 字节；文本最多 %3</translation>
    </message>
    <message>
        <source>%1 has %2 bytes; a window for training and one for testing take %3</source>
        <translation>%1 有 %2 字节；训练与测试各一个窗口需要 %3</translation>
    </message>
    <message>
        <source>it has become shorter</source>
        <translation>文件变短了</translation>
    </message>
    <message>
        <source>libcrypto cannot compute a SHA-256</source>
        <translation>libcrypto 无法计算 SHA-256</translation>
    </message>
    <message>
        <source>libcrypto cannot compute an HMAC-SHA-256</source>
        <translation>libcrypto 无法计算 HMAC-SHA-256</translation>
    </message>
    <message>
        <source>%1 steps of %2 samples are too many to write their order beside a script; at most %3 samples are allowed: lower train.steps or train.epochs</source>
        <translation>%1 步、每步 %2 个样本，过多而无法在脚本旁写出顺序；最多 %3 个样本：请减小 train.steps 或 train.epochs</translation>
    </message>
    <message>
        <source>lockstep-rank wrote no contents.json</source>
        <translation>lockstep-rank 没有写出 contents.json</translation>
    </message>
    <message>
        <source>%1 is not a net that this lockstep-rank can build</source>
        <translation>此 lockstep-rank 无法构建网络 %1</translation>
    </message>
    <message>
        <source>layers %1 to %2 of %3 do not exist; it has %4</source>
        <translation>%3 没有第 %1 到 %2 层；共有 %4 层</translation>
    </message>
    <message>
        <source>%1 is not known to this lockstep-rank</source>
        <translation>此 lockstep-rank 不支持 %1</translation>
    </message>
    <message>
        <source>%1 is not a strategy that trains</source>
        <translation>%1 不是用于训练的策略</translation>
    </message>
    <message>
        <source>%1: `%2` is not an integer of at least %3 and less than %4</source>
        <translation>%1：`%2` 不是大于等于 %3 且小于 %4 的整数</translation>
    </message>
    <message>
        <source>%1: needs a value; see lockstep-rank --help</source>
        <translation>%1：需要一个值；见 lockstep-rank --help</translation>
    </message>
    <message>
        <source>unknown argument `%1`; see lockstep-rank --help</source>
        <translation>未知参数 `%1`；见 lockstep-rank --help</translation>
    </message>
    <message>
        <source>--weights CHECKPOINT and --out FILE go together</source>
        <translation>--weights CHECKPOINT 和 --out FILE 须同时给出</translation>
    </message>
    <message>
        <source>%1: needs --spec FILE</source>
        <translation>%1：需要 --spec FILE</translation>
    </message>
    <message>
        <source>the run needs %1 ranks, and this process is alone; start it with --local %2, or %3 of them with torchrun or mpirun</source>
        <translation>运行需要 %1 个 rank，而只有本进程；请以 --local %2 启动，或用 torchrun、mpirun 启动 %3 个</translation>
    </message>
    <message>
        <source>the spec says %1, but %2 is %3; start as many, or set world_size to 0</source>
        <translation>实验配置中为 %1，而 %2 为 %3；请启动同样数量的 rank，或把 world_size 设为 0</translation>
    </message>
    <message>
        <source>mpi, but this lockstep-rank was built without MPI; install libopenmpi-dev and openmpi-bin and build again, or use auto, shm or gloo</source>
        <translation>设为 mpi，但此 lockstep-rank 构建时没有 MPI；请安装 libopenmpi-dev 和 openmpi-bin 后重新构建，或使用 auto、shm 或 gloo</translation>
    </message>
    <message>
        <source>there is not enough memory for this run</source>
        <translation>内存不足，无法进行此运行</translation>
    </message>
    <message>
        <source>LibTorch %1 has no float16 arithmetic on the CPU: use bfloat16 or float32, or a GPU</source>
        <translation>LibTorch %1 在 CPU 上不支持 float16 运算：请使用 bfloat16 或 float32，或使用 GPU</translation>
    </message>
    <message>
        <source>float16 needs one decision on every step, whether it overflowed, which an asynchronous parameter server does not make: use bfloat16 or float32, or a synchronous aggregation</source>
        <translation>float16 在每一步都要统一判断是否溢出，异步参数服务器做不到：请使用 bfloat16 或 float32，或使用同步聚合</translation>
    </message>
    <message>
        <source>host moves the optimizer state from a GPU to the host&apos;s memory, where this rank on the CPU has it already; use none or disk</source>
        <translation>host 把优化器状态从 GPU 移到主机内存，而此 rank 在 CPU 上，状态已在主机内存中；请使用 none 或 disk</translation>
    </message>
    <message>
        <source>rpc, but this lockstep-rank was built without LibTorch&apos;s RPC agent, which not every LibTorch has; use p2p</source>
        <translation>设为 rpc，但此 lockstep-rank 构建时没有 LibTorch 的 RPC 代理（并非所有 LibTorch 都有）；请使用 p2p</translation>
    </message>
    <message>
        <source>the device has not finished the step within comm.timeout_s, %1 s: it waits for another rank</source>
        <translation>设备未在 comm.timeout_s（%1 s）内完成此步：它在等待另一个 rank</translation>
    </message>
    <message>
        <source>the optimizer state in %1 cannot be stored: %2</source>
        <translation>无法在 %1 中存放优化器状态：%2</translation>
    </message>
    <message>
        <source>the optimizer state in %1 cannot be read: %2</source>
        <translation>无法读取 %1 中的优化器状态：%2</translation>
    </message>
    <message>
        <source>the optimizer state in %1 cannot be written: %2</source>
        <translation>无法写入 %1 中的优化器状态：%2</translation>
    </message>
    <message>
        <source>the optimizer state in %1 needs %2 bytes: %3</source>
        <translation>优化器状态需要在 %1 中占用 %2 字节：%3</translation>
    </message>
    <message>
        <source>here: %1; missing: %2</source>
        <translation>已到达：%1；缺少：%2</translation>
    </message>
    <message>
        <source>%1 does not exist; the ranks are 0 to %2</source>
        <translation>%1 不存在；rank 为 0 到 %2</translation>
    </message>
    <message>
        <source>one of in and out is in the host&apos;s memory, the other in the GPU&apos;s; both must be in the same memory</source>
        <translation>in 和 out 一个在主机内存、另一个在 GPU 内存；两者必须在同一处</translation>
    </message>
    <message>
        <source>%1 is not defined for %2; use int32, int64 or uint8</source>
        <translation>%1 对 %2 没有定义；请用 int32、int64 或 uint8</translation>
    </message>
    <message>
        <source>in has %1, out %2; with %3 ranks they must have %4 and %5 of one type</source>
        <translation>in 有 %1，out 有 %2；%3 个 rank 时两者应为同一类型的 %4 和 %5 个</translation>
    </message>
    <message>
        <source>sharing a device needs ranks that share memory (comm.backend=shm); these are over %1</source>
        <translation>共享设备要求各 rank 共享内存（comm.backend=shm）；当前使用 %1</translation>
    </message>
    <message>
        <source>the device has too little memory for %1 ranks</source>
        <translation>设备内存不足以容纳 %1 个 rank</translation>
    </message>
    <message>
        <source>split: not while a collective is under way</source>
        <translation>split：集合通信进行中时不可使用</translation>
    </message>
    <message>
        <source>there is no memory for %1 bytes of a collective&apos;s scratch</source>
        <translation>没有内存用于集合通信的 %1 字节暂存区</translation>
    </message>
    <message>
        <source>mpi: %1 elements are more than one call can carry; allowed: up to %2</source>
        <translation>mpi：%1 个元素超出一次调用的上限；最多 %2</translation>
    </message>
    <message>
        <source>mpi: this MPI does not let several threads call it at once (MPI_THREAD_MULTIPLE)</source>
        <translation>mpi：此 MPI 不支持多线程同时调用（MPI_THREAD_MULTIPLE）</translation>
    </message>
    <message>
        <source>mpi: this is rank %1 of %2 to MPI, and rank %3 of %4 to the run: start the ranks with mpirun -n %5</source>
        <translation>mpi：在 MPI 中为 rank %1（共 %2），在运行中为 rank %3（共 %4）：请用 mpirun -n %5 启动各 rank</translation>
    </message>
    <message>
        <source>nccl: another rank could not join the group</source>
        <translation>nccl：另一个 rank 未能加入组</translation>
    </message>
    <message>
        <source>nccl: this group has failed before</source>
        <translation>nccl：此组先前已失败</translation>
    </message>
    <message>
        <source>nccl: not done within %1 s: do all ranks call the same operation?</source>
        <translation>nccl：%1 s 内未完成：所有 rank 调用的操作是否相同？</translation>
    </message>
    <message>
        <source>nccl: %1: not done within %2 s</source>
        <translation>nccl：%1：%2 s 内未完成</translation>
    </message>
    <message>
        <source>shared memory for %1 bytes per rank: %2</source>
        <translation>每个 rank %1 字节的共享内存：%2</translation>
    </message>
    <message>
        <source>shared memory: the other rank sent something unexpected</source>
        <translation>共享内存：另一个 rank 发来了意外的内容</translation>
    </message>
    <message>
        <source>shared memory: rank %1 of %2 does not exist</source>
        <translation>共享内存：没有 rank %1（共 %2）</translation>
    </message>
    <message>
        <source>shared memory: %1 ranks; use 1 to %2</source>
        <translation>共享内存：%1 个 rank；请使用 1 到 %2 个</translation>
    </message>
    <message>
        <source>another job of this user is using the name %1: %2</source>
        <translation>此用户的另一个作业正在使用名称 %1：请%2</translation>
    </message>
    <message>
        <source>set LOCKSTEP_RUN to a different value for each job</source>
        <translation>为每个作业把 LOCKSTEP_RUN 设为不同的值</translation>
    </message>
    <message>
        <source>gloo: the ranks could not be connected: %1</source>
        <translation>gloo：各 rank 无法连接：%1</translation>
    </message>
    <message>
        <source>rpc: the ranks could not be connected: %1</source>
        <translation>rpc：各 rank 无法连接：%1</translation>
    </message>
    <message>
        <source>stage call: part %1 of the net was given %2, it expected %3</source>
        <translation>阶段调用：网络的第 %1 部分收到 %2，期望 %3</translation>
    </message>
    <message>
        <source>stage call: %1</source>
        <translation>阶段调用：%1</translation>
    </message>
    <message>
        <source>%1 does not exist; the GPUs are cuda:0 to cuda:%2</source>
        <translation>%1 不存在；GPU 为 cuda:0 到 cuda:%2</translation>
    </message>
    <message>
        <source>%1 has compute capability %2.%3; it needs 7.5 (Turing) or later; use device=cpu</source>
        <translation>%1 的计算能力为 %2.%3；需要 7.5（Turing）或更高；请使用 device=cpu</translation>
    </message>
    <message>
        <source>%1: %2 bytes of pinned host memory: %3</source>
        <translation>%1：%2 字节锁页主机内存：%3</translation>
    </message>
    <message>
        <source>%1: %2 bytes for collectives: %3</source>
        <translation>%1：用于集合通信的 %2 字节：%3</translation>
    </message>
    <message>
        <source>%1 cannot be shared between processes: %2</source>
        <translation>%1 无法在进程之间共享：%2</translation>
    </message>
    <message>
        <source>%1: the kernels cannot be loaded: %2</source>
        <translation>%1：无法加载核函数：%2</translation>
    </message>
    <message>
        <source>the kernels for the GPU have to be compiled at the start, but libnvrtc.so was not found; install the CUDA toolkit or the package nvidia-cuda-nvrtc, or build on a machine with nvcc</source>
        <translation>GPU 核函数须在启动时编译，但找不到 libnvrtc.so；请安装 CUDA 工具包或 nvidia-cuda-nvrtc 软件包，或在有 nvcc 的机器上构建</translation>
    </message>
    <message>
        <source>libnvrtc.so lacks functions that CUDA 12 has; install a newer one</source>
        <translation>libnvrtc.so 缺少 CUDA 12 的函数；请安装更新的版本</translation>
    </message>
    <message>
        <source>%1; there is no complete one before it</source>
        <translation>%1；之前没有完整的检查点</translation>
    </message>
    <message>
        <source>%1; the one before it is complete: %2</source>
        <translation>%1；它之前的一个是完整的：%2</translation>
    </message>
    <message>
        <source>%1 is of %2 ranks, this run has %3; a run must resume with the same number of ranks</source>
        <translation>%1 属于 %2 个 rank，而此运行有 %3 个；恢复时 rank 数须与原来相同</translation>
    </message>
    <message>
        <source>%1 was made with other data, %2; %3 is %4</source>
        <translation>%1 使用的是另一份数据 %2；%3 为 %4</translation>
    </message>
    <message>
        <source>%1 is of step %2, where this run of %3 steps has ended; give it more epochs or steps</source>
        <translation>%1 属于第 %2 步，而此运行共 %3 步，已经结束；请增加轮次或步数</translation>
    </message>
    <message>
        <source>%1 has a different %2 than this run</source>
        <translation>%1 的 %2 与此运行不同</translation>
    </message>
    <message>
        <source>another rank could not write its part</source>
        <translation>另一个 rank 未能写入它的部分</translation>
    </message>
    <message>
        <source>%1: cannot be named: %2</source>
        <translation>%1：无法命名：%2</translation>
    </message>
    <message>
        <source>%1 is damaged: its files are of another step than its manifest</source>
        <translation>%1 已损坏：其文件与清单属于不同的步</translation>
    </message>
    <message>
        <source>%1 is damaged: %2 is not what was written</source>
        <translation>%1 已损坏：%2 与写入的内容不同</translation>
    </message>
    <message>
        <source>%1 is damaged: %2</source>
        <translation>%1 已损坏：%2</translation>
    </message>
    <message>
        <source>%1 is torn: %2 has %3 of %4 bytes</source>
        <translation>%1 不完整：%2 只有 %3/%4 字节</translation>
    </message>
    <message>
        <source>%1 is not a checkpoint: it has no %2</source>
        <translation>%1 不是检查点：其中没有 %2</translation>
    </message>
    <message>
        <source>%1 is of version %2; this program reads %3</source>
        <translation>%1 的版本为 %2；本程序可读取 %3</translation>
    </message>
    <message>
        <source>%1 is not the manifest of a checkpoint</source>
        <translation>%1 不是检查点的清单</translation>
    </message>
    <message>
        <source>%1 names a file outside of its folder</source>
        <translation>%1 指向了其文件夹之外的文件</translation>
    </message>
    <message>
        <source>the numbers beside the tensor %1 do not fit it</source>
        <translation>张量 %1 附带的数与它不符</translation>
    </message>
    <message>
        <source>a part of the tensor %1 is in no rank&apos;s file</source>
        <translation>张量 %1 的一部分不在任何 rank 的文件中</translation>
    </message>
    <message>
        <source>the ranks&apos; files have tensors of different shapes under the name %1</source>
        <translation>各 rank 的文件中名为 %1 的张量形状不同</translation>
    </message>
    <message>
        <source>element %1 of the tensor %2 is in no rank&apos;s file</source>
        <translation>张量 %2 的元素 %1 不在任何 rank 的文件中</translation>
    </message>
    <message>
        <source>its manifest has the files of %1 ranks, its run has %2</source>
        <translation>其清单含 %1 个 rank 的文件，而其运行有 %2 个</translation>
    </message>
    <message>
        <source>the checkpoint has no hash of its data set (it could not be read again): the data are not compared</source>
        <translation>此检查点没有数据集的哈希值（当时无法再次读取数据集）：不比较数据</translation>
    </message>
    <message>
        <source>a control command came that this run&apos;s strategy does not know</source>
        <translation>收到此运行的策略不支持的控制命令</translation>
    </message>
    <message>
        <source>has no effect on a GPU, where every call is only queued and all are waited for at the end</source>
        <translation>在 GPU 上不起作用：每次调用只是入队，最后统一等待</translation>
    </message>
    <message>
        <source>%1 cannot be recorded as CUDA graphs, and are launched kernel by kernel: %2</source>
        <translation>%1 无法录制为 CUDA 图，将逐个启动核函数：%2</translation>
    </message>
    <message>
        <source>%1 are recorded as CUDA graphs</source>
        <translation>%1 已录制为 CUDA 图</translation>
    </message>
    <message>
        <source>the workbench at %1 cannot be found: %2</source>
        <translation>找不到位于 %1 的工作台：%2</translation>
    </message>
    <message>
        <source>the workbench at %1 cannot be reached: %2</source>
        <translation>无法连接位于 %1 的工作台：%2</translation>
    </message>
    <message>
        <source>the workbench closed the connection before it proved that it has this run&apos;s secret: it is another run&apos;s, or older than this rank (protocol version %1)</source>
        <translation>工作台在证明持有此运行的密钥之前关闭了连接：它属于另一个运行，或比此 rank 旧（协议版本 %1）</translation>
    </message>
    <message>
        <source>the workbench did not accept the hello</source>
        <translation>工作台没有接受问候消息</translation>
    </message>
    <message>
        <source>the workbench did not answer in time</source>
        <translation>工作台没有及时应答</translation>
    </message>
    <message>
        <source>the workbench speaks protocol version %1, this rank %2: build both from the same sources</source>
        <translation>工作台的协议版本为 %1，此 rank 为 %2：请用同一份源代码构建两者</translation>
    </message>
    <message>
        <source>what answers at LOCKSTEP_TELEMETRY is not a workbench</source>
        <translation>LOCKSTEP_TELEMETRY 处应答的不是工作台</translation>
    </message>
    <message>
        <source>what answers at LOCKSTEP_TELEMETRY does not have this run&apos;s secret (LOCKSTEP_SECRET)</source>
        <translation>LOCKSTEP_TELEMETRY 处的应答者没有此运行的密钥（LOCKSTEP_SECRET）</translation>
    </message>
    <message>
        <source>the workbench did not answer with a welcome</source>
        <translation>工作台没有以欢迎消息应答</translation>
    </message>
    <message>
        <source>the workbench refused the connection</source>
        <translation>工作台拒绝了连接</translation>
    </message>
    <message>
        <source>a frame of %1 bytes was announced, 1 to %2 are allowed</source>
        <translation>声明了 %1 字节的帧，允许 1 到 %2</translation>
    </message>
    <message>
        <source>a frame of %1 bytes is not a message</source>
        <translation>%1 字节的帧不是消息</translation>
    </message>
    <message>
        <source>a frame of %1 bytes is damaged or of another program</source>
        <translation>%1 字节的帧已损坏，或来自其他程序</translation>
    </message>
    <message>
        <source>a frame has no message in it</source>
        <translation>帧中没有消息</translation>
    </message>
    <message>
        <source>kind %1 is not known</source>
        <translation>未知的类别 %1</translation>
    </message>
    <message>
        <source>a message of kind %1 is malformed: %2</source>
        <translation>类别为 %1 的消息格式错误：%2</translation>
    </message>
    <message>
        <source>a message of %1 bytes does not fit into a frame of %2</source>
        <translation>%1 字节的消息超出 %2 字节的帧</translation>
    </message>
    <message>
        <source>the system gives no random numbers: %1</source>
        <translation>系统无法提供随机数：%1</translation>
    </message>
    <message>
        <source>the secret has %1 characters, it must be 64 hexadecimal digits</source>
        <translation>密钥有 %1 个字符，应为 64 个十六进制数字</translation>
    </message>
    <message>
        <source>the secret must be 64 hexadecimal digits, it has another character</source>
        <translation>密钥应为 64 个十六进制数字，其中有其他字符</translation>
    </message>
    <message>
        <source>its members are not those that its %1 names</source>
        <translation>其成员与 %1 所列的不同</translation>
    </message>
    <message>
        <source>its %1 is not JSON</source>
        <translation>其 %1 不是 JSON</translation>
    </message>
    <message>
        <source>it is another run, %1</source>
        <translation>它是另一个运行，%1</translation>
    </message>
    <message>
        <source>it has no run</source>
        <translation>其中没有运行记录</translation>
    </message>
    <message>
        <source>every run of it is in this store already</source>
        <translation>其中的运行记录均已在此运行库中</translation>
    </message>
    <message>
        <source>its %1 is not that of a bundle</source>
        <translation>其 %1 不是打包文件的清单</translation>
    </message>
    <message>
        <source>it is a bundle of version %1, from a later version of Lockstep; this program reads %2</source>
        <translation>它是版本 %1 的打包文件，来自更高版本的 Lockstep；本程序可读取 %2</translation>
    </message>
    <message>
        <source>run %1 has not ended yet; a bundle takes runs that have</source>
        <translation>运行 %1 尚未结束；打包文件只接受已结束的运行</translation>
    </message>
    <message>
        <source>its member &quot;%1&quot; cannot be read</source>
        <translation>无法读取其成员“%1”</translation>
    </message>
    <message>
        <source>its member &quot;%1&quot; is a link</source>
        <translation>其成员“%1”是链接</translation>
    </message>
    <message>
        <source>its member &quot;%1&quot; is not a plain file</source>
        <translation>其成员“%1”不是普通文件</translation>
    </message>
    <message>
        <source>its member %1 cannot be read</source>
        <translation>无法读取其第 %1 个成员</translation>
    </message>
    <message>
        <source>its member &quot;%1&quot; is refused: names must be relative, without &quot;..&quot;</source>
        <translation>不接受其成员“%1”：名称必须是相对路径，且不含“..”</translation>
    </message>
    <message>
        <source>its member &quot;%1&quot; is encrypted</source>
        <translation>其成员“%1”已加密</translation>
    </message>
    <message>
        <source>its member &quot;%1&quot; is compressed by an unknown method</source>
        <translation>其成员“%1”的压缩方法未知</translation>
    </message>
    <message>
        <source>it is more than 4 GiB unpacked, the most that is allowed</source>
        <translation>解压后超过允许的上限 4 GiB</translation>
    </message>
    <message>
        <source>its member &quot;%1&quot; is compressed by a factor of more than %2</source>
        <translation>其成员“%1”的压缩比超过 %2</translation>
    </message>
    <message>
        <source>it has %1 members; at most %2 are allowed</source>
        <translation>它有 %1 个成员；最多允许 %2 个</translation>
    </message>
    <message>
        <source>it has two members &quot;%1&quot;</source>
        <translation>它有两个成员“%1”</translation>
    </message>
    <message>
        <source>it is compressed by a factor of more than %1</source>
        <translation>压缩比超过 %1</translation>
    </message>
    <message>
        <source>it has no member &quot;%1&quot;</source>
        <translation>它没有成员“%1”</translation>
    </message>
    <message>
        <source>its member &quot;%1&quot; has %2 bytes; at most %3 are allowed</source>
        <translation>其成员“%1”有 %2 字节；最多允许 %3</translation>
    </message>
    <message>
        <source>the archive cannot be created</source>
        <translation>无法创建归档</translation>
    </message>
    <message>
        <source>the archive cannot be read back</source>
        <translation>无法读回归档</translation>
    </message>
    <message>
        <source>it has a %1 &quot;%2&quot; that no run file has</source>
        <translation>它有运行文件中不存在的 %1“%2”</translation>
    </message>
    <message>
        <source>it has a row of rank %1</source>
        <translation>其中有 rank %1 的行</translation>
    </message>
    <message>
        <source>it has an unknown state of a rank</source>
        <translation>其中有未知的 rank 状态</translation>
    </message>
    <message>
        <source>it has %1 bytes; at most %2 are allowed</source>
        <translation>它有 %1 字节；最多允许 %2</translation>
    </message>
    <message>
        <source>%1: its spec cannot be read: %2</source>
        <translation>%1：无法读取其实验配置：%2</translation>
    </message>
    <message>
        <source>it does not begin with a spec</source>
        <translation>开头不是实验配置</translation>
    </message>
    <message>
        <source>it contains no complete frame</source>
        <translation>其中没有完整的帧</translation>
    </message>
    <message>
        <source>%1 cannot be read to its end: %2</source>
        <translation>无法把 %1 读到末尾：%2</translation>
    </message>
    <message>
        <source>run store: %1 is not a Lockstep index; choose another folder with --store</source>
        <translation>运行库：%1 不是 Lockstep 的索引；请用 --store 选择其他文件夹</translation>
    </message>
    <message>
        <source>run store: %1 is an index of format %2, from a later version; this program reads up to %3; choose another folder with --store</source>
        <translation>运行库：%1 是格式 %2 的索引，来自更高版本；本程序可读取到格式 %3；请用 --store 选择其他文件夹</translation>
    </message>
    <message>
        <source>run store: %1 is a run of format %2; this program reads %3</source>
        <translation>运行库：%1 是格式 %2 的运行记录；本程序可读取 %3</translation>
    </message>
    <message>
        <source>run store: %1 cannot be moved to %2</source>
        <translation>运行库：无法把 %1 移到 %2</translation>
    </message>
    <message>
        <source>run store: %1 cannot be opened: %2</source>
        <translation>运行库：无法打开 %1：%2</translation>
    </message>
    <message>
        <source>run store: the folder %1 cannot be created; choose another with --store</source>
        <translation>运行库：无法创建文件夹 %1；请用 --store 选择其他文件夹</translation>
    </message>
    <message>
        <source>%1 has no complete checkpoint; checkpoint.every writes them during a run, and stopping a run writes one</source>
        <translation>%1 没有完整的检查点；checkpoint.every 使运行期间写入检查点，停止运行时也会写入一个</translation>
    </message>
    <message>
        <source>%1 has no checkpoint; checkpoint.every writes them during a run, and stopping a run writes one</source>
        <translation>%1 没有检查点；checkpoint.every 使运行期间写入检查点，停止运行时也会写入一个</translation>
    </message>
    <message>
        <source>an entry has an unknown state</source>
        <translation>有条目的状态未知</translation>
    </message>
    <message>
        <source>an entry lacks a field, or has one of a wrong type</source>
        <translation>有条目缺少字段，或字段类型错误</translation>
    </message>
    <message>
        <source>&quot;runs&quot; is not a list of runs</source>
        <translation>“runs”不是运行的列表</translation>
    </message>
    <message>
        <source>a run&apos;s id is invalid</source>
        <translation>有运行的编号无效</translation>
    </message>
    <message>
        <source>the answer is not the state of a queue</source>
        <translation>应答不是队列的状态</translation>
    </message>
    <message>
        <source>its state is &quot;%1&quot;</source>
        <translation>其状态为“%1”</translation>
    </message>
    <message>
        <source>its runs are not JSON</source>
        <translation>其运行不是 JSON</translation>
    </message>
    <message>
        <source>queue: &quot;%1&quot; is not an action; allowed: %2</source>
        <translation>队列：“%1”不是操作；可用：%2</translation>
    </message>
    <message>
        <source>queue: &quot;%1&quot; is not %2; lockstep queue list shows them</source>
        <translation>队列：“%1”不是%2；lockstep queue list 列出它们</translation>
    </message>
    <message>
        <source>the number of an entry</source>
        <translation>条目的编号</translation>
    </message>
    <message>
        <source>a position in the queue, from 1</source>
        <translation>队列中的位置（从 1 开始）</translation>
    </message>
    <message>
        <source>queue %1: takes 1 argument; lockstep queue --help</source>
        <translation>queue %1：需要 1 个参数；见 lockstep queue --help</translation>
    </message>
    <message>
        <source>queue %1: takes %2 arguments; lockstep queue --help</source>
        <translation>queue %1：需要 %2 个参数；见 lockstep queue --help</translation>
    </message>
    <message>
        <source>%1; it came with the file: add --trust if you know what it does</source>
        <translation>%1；它来自该文件：如果了解其作用，请加上 --trust</translation>
    </message>
    <message>
        <source>%1, but you have not confirmed it; start it from the window or with lockstep run --trust</source>
        <translation>%1，但尚未经过确认；请从窗口启动，或使用 lockstep run --trust</translation>
    </message>
    <message>
        <source>rank.program: nothing</source>
        <translation>rank.program：无</translation>
    </message>
    <message>
        <source>%1: &quot;%2&quot; would be started; its files have changed since it was confirmed</source>
        <translation>%1：将启动“%2”；确认之后其文件已更改</translation>
    </message>
    <message>
        <source>%1: &quot;%2&quot; would be started</source>
        <translation>%1：将启动“%2”</translation>
    </message>
    <message>
        <source>%1: &quot;%2&quot; would be written to</source>
        <translation>%1：将写入“%2”</translation>
    </message>
    <message>
        <source>%1: &quot;%2&quot; would be resumed from</source>
        <translation>%1：将从“%2”恢复</translation>
    </message>
    <message>
        <source>unknown format</source>
        <translation>未知的格式</translation>
    </message>
    <message>
        <source>a script is of one variant; choose one of %1</source>
        <translation>一份脚本对应一个变体；请选择下列之一：%1</translation>
    </message>
    <message>
        <source>groups show figures such as loss and accuracy, and none is named</source>
        <translation>分组显示损失、准确率等指标，而没有指定任何指标</translation>
    </message>
    <message>
        <source>none of the runs has the id or the name %1</source>
        <translation>没有运行的编号或名称为 %1</translation>
    </message>
    <message>
        <source>%1 exists already; choose another folder, or replace it with --overwrite</source>
        <translation>%1 已存在；请选择其他文件夹，或用 --overwrite 替换</translation>
    </message>
    <message>
        <source>the folder %1 cannot be made</source>
        <translation>无法创建文件夹 %1</translation>
    </message>
    <message>
        <source>nothing can be written to %1: %2</source>
        <translation>无法写入 %1：%2</translation>
    </message>
    <message>
        <source>it is not a file</source>
        <translation>它不是文件</translation>
    </message>
    <message>
        <source>%1: cannot be written: %2</source>
        <translation>%1：无法写入：%2</translation>
    </message>
    <message>
        <source>%1 cannot be written: %2</source>
        <translation>无法写入 %1：%2</translation>
    </message>
    <message>
        <source>the PDF could not be drawn</source>
        <translation>无法绘制 PDF</translation>
    </message>
    <message>
        <source>there is no file %1</source>
        <translation>文件 %1 不存在</translation>
    </message>
    <message>
        <source>%1: the name must end with one of %2</source>
        <translation>%1：文件名须以下列之一结尾：%2</translation>
    </message>
    <message>
        <source>%1 is not a report format; allowed: %2</source>
        <translation>%1 不是报告的格式；可用：%2</translation>
    </message>
    <message>
        <source>needs one of %1</source>
        <translation>需要以下之一：%1</translation>
    </message>
    <message>
        <source>%1 is not a report language; allowed: en, zh</source>
        <translation>%1 不是报告的语言；可用：en, zh</translation>
    </message>
    <message>
        <source>%1 is not a figure; allowed: %2</source>
        <translation>%1 不是指标；可用：%2</translation>
    </message>
    <message>
        <source>takes one parameter or two, not %1</source>
        <translation>接受一个或两个参数，而不是 %1 个</translation>
    </message>
    <message>
        <source>these runs do not differ in %1; they differ in %2</source>
        <translation>这些运行的 %1 没有区别；它们的区别在于 %2</translation>
    </message>
    <message>
        <source>none of these runs has %1; they have %2</source>
        <translation>这些运行都没有 %1；它们有 %2</translation>
    </message>
    <message>
        <source>these are not changes to a report that this version understands</source>
        <translation>这些报告修改不是此版本能读取的</translation>
    </message>
    <message>
        <source>these are not changes to a report: %1</source>
        <translation>这些不是报告的修改：%1</translation>
    </message>
    <message>
        <source>alpha-beta fit: a time of %1 s; times must be above 0</source>
        <translation>alpha-beta 拟合：时间为 %1 s；时间必须大于 0</translation>
    </message>
    <message>
        <source>alpha-beta fit: it needs measurements of at least two sizes, between at least two ranks</source>
        <translation>alpha-beta 拟合：需要至少两个 rank 之间、至少两种大小的测量</translation>
    </message>
    <message>
        <source>pytorch: needs --out FILE.py</source>
        <translation>pytorch：需要 --out FILE.py</translation>
    </message>
    <message>
        <source>report: this build has no charts; build the desktop with ./run</source>
        <translation>report：此构建没有图表；请用 ./run 构建桌面程序</translation>
    </message>
    <message>
        <source>bundle: needs the ids of runs, or last; lockstep runs lists them</source>
        <translation>bundle：需要运行的编号，或 last；lockstep runs 列出它们</translation>
    </message>
    <message>
        <source>bundle: needs --out FILE, or --dry-run</source>
        <translation>bundle：需要 --out FILE 或 --dry-run</translation>
    </message>
    <message>
        <source>%1, and this rank did not notice it in time (its device may be blocked)</source>
        <translation>%1，而本 rank 未及时发现（其设备可能已阻塞）</translation>
    </message>
    <message>
        <source>%1: no such parameter; %2</source>
        <translation>没有参数 %1；%2</translation>
    </message>
    <message>
        <source>did you mean %1?</source>
        <translation>是否指 %1？</translation>
    </message>
    <message>
        <source>`lockstep parameters` lists them all</source>
        <translation>`lockstep parameters` 列出全部参数</translation>
    </message>
    <message>
        <source>%1: `%2` is not an integer from %3 to %4</source>
        <translation>%1：`%2` 不是 %3 到 %4 的整数</translation>
    </message>
    <message>
        <source>launch: needs one preset or spec file, for example: lockstep launch aggregation --as sbatch --out job</source>
        <translation>launch：需要一个预设或实验配置文件，例如：lockstep launch aggregation --as sbatch --out job</translation>
    </message>
    <message>
        <source>torchrun starts the same number of ranks on each host: %1 ranks are not a multiple of %2 hosts (%3)</source>
        <translation>torchrun 在每台主机上启动同样多的 rank：%1 个 rank 不是 %2 台主机的整数倍（%3）</translation>
    </message>
    <message>
        <source>%1: %2 works on one host only, and these ranks are on %3; use %4</source>
        <translation>%1：%2 只能在一台主机上使用，而这些 rank 分布在 %3 上；请用 %4</translation>
    </message>
    <message>
        <source>%1 is %2, so this process already is one of %3 ranks; leave out --local, or unset %4 if it does not count ranks</source>
        <translation>%1 为 %2，因此本进程已是 %3 个 rank 之一；请去掉 --local；若 %4 并不表示 rank 数，请取消设置它</translation>
    </message>
    <message>
        <source>%1 is %2, but %3 is %4: both say how many ranks there are; unset the one that is not meant</source>
        <translation>%1 为 %2，而 %3 为 %4：两者都表示 rank 的数量；请取消设置多余的一个</translation>
    </message>
    <message>
        <source>%1 is %2, but %3 is %4: both say which rank this is; unset the one that is not meant</source>
        <translation>%1 为 %2，而 %3 为 %4：两者都表示这是哪个 rank；请取消设置多余的一个</translation>
    </message>
    <message>
        <source>%1 is %2, the number of nodes, but each node has %3 ranks (LOCAL_WORLD_SIZE): it must be the number of ranks, %4</source>
        <translation>%1 为 %2，即节点数，而每个节点有 %3 个 rank（LOCAL_WORLD_SIZE）：它必须是 rank 的数量，即 %4</translation>
    </message>
    <message>
        <source>%1 is %2, but this node alone has %3 ranks (LOCAL_WORLD_SIZE): %4 must count ranks, not nodes</source>
        <translation>%1 为 %2，而仅此节点就有 %3 个 rank（LOCAL_WORLD_SIZE）：%4 必须是 rank 数，而不是节点数</translation>
    </message>
    <message>
        <source>%1 is %2, but this is local rank %3 of its node: %4 must count ranks, not nodes</source>
        <translation>%1 为 %2，而这是其节点上的本地 rank %3：%4 必须是 rank 数，而不是节点数</translation>
    </message>
    <message>
        <source>the ranks are on %1 hosts, and nothing says where they meet: give --init-method tcp://HOST:PORT with rank 0&apos;s host, or set MASTER_ADDR and MASTER_PORT</source>
        <translation>rank 分布在 %1 台主机上，而没有指定汇合地址：请用 `--init-method tcp://HOST:PORT` 给出 rank 0 所在的主机，或设置 MASTER_ADDR 和 MASTER_PORT</translation>
    </message>
    <message>
        <source>the ranks are on %1 hosts, but are to meet at %2, which each host takes for itself: give an address of rank 0&apos;s host (MASTER_ADDR or --init-method)</source>
        <translation>rank 分布在 %1 台主机上，而汇合地址 %2 在每台主机上都指它自己：请给出 rank 0 所在主机的地址（MASTER_ADDR 或 --init-method）</translation>
    </message>
    <message>
        <source>%1: %2 has no `%3`; it has %4</source>
        <translation>%1：%2 没有 `%3`；它有 %4</translation>
    </message>
    <message>
        <source>ranks on several hosts need a secret in common: write 64 hexadecimal digits into a file that only you can read (umask 077; openssl rand -hex 32 &gt; FILE) and set LOCKSTEP_SECRET_FILE to its path on every host</source>
        <translation>分布在多台主机上的 rank 需要共同的密钥：请把 64 个十六进制数字写入只有本人可读的文件（`umask 077; openssl rand -hex 32 &gt; FILE`），并在每台主机上把 LOCKSTEP_SECRET_FILE 设为其路径</translation>
    </message>
    <message>
        <source>%1 can be read by every user of this host: chmod 600 it</source>
        <translation>%1 可被此主机的每个用户读取：请对它执行 chmod 600</translation>
    </message>
    <message>
        <source>`%1` is not a rendezvous: use env://, tcp://HOST:PORT or file:///FOLDER</source>
        <translation>`%1` 不是汇合方式：请用 env://、tcp://HOST:PORT 或 file:///FOLDER</translation>
    </message>
    <message>
        <source>%1: is not a rendezvous file</source>
        <translation>%1：不是汇合文件</translation>
    </message>
    <message>
        <source>%1: is another user&apos;s, or others can read it</source>
        <translation>%1：属于其他用户，或其他用户可以读取</translation>
    </message>
    <message>
        <source>its contents are garbled</source>
        <translation>其内容已损坏</translation>
    </message>
    <message>
        <source>%1 joined as one of %2 ranks, but %3 as one of %4: give all ranks of a job the same number of ranks</source>
        <translation>%1认为共有 %2 个 rank，而 %3认为共有 %4 个：请给同一作业的所有 rank 相同的 rank 数</translation>
    </message>
    <message>
        <source>%1 is %2, but %3 is %4: use the same lockstep-rank on all hosts</source>
        <translation>%1 为 %2，而 %3 为 %4：请在所有主机上使用相同的 lockstep-rank</translation>
    </message>
    <message>
        <source>%1 was started with a different spec than %2: give all ranks of a job the same file</source>
        <translation>%1启动时的配置与 %2不同：请给同一作业的所有 rank 相同的文件</translation>
    </message>
    <message>
        <source>%1 joined, but %2 has joined already: two jobs use the same address, or two processes have the same rank</source>
        <translation>%1加入时 %2已经加入：两个作业使用了同一地址，或两个进程的 rank 相同</translation>
    </message>
    <message>
        <source>ranks %1 have not arrived within %2 s</source>
        <translation>rank %1 未在 %2 s 内到达</translation>
    </message>
    <message>
        <source>what answers at %1 is not the store of a run</source>
        <translation>%1 处的应答者不是一次运行的汇合点</translation>
    </message>
    <message>
        <source>the store at %1 speaks protocol version %2, this rank %3: use the same lockstep-rank on all hosts</source>
        <translation>%1 处的汇合点的协议版本为 %2，此 rank 为 %3：请在所有主机上使用相同的 lockstep-rank</translation>
    </message>
    <message>
        <source>the store at %1 does not have this job&apos;s secret: another job meets there, or LOCKSTEP_SECRET_FILE differs between hosts</source>
        <translation>%1 处的汇合点没有此作业的密钥：另一个作业在那里汇合，或各主机的 LOCKSTEP_SECRET_FILE 不同</translation>
    </message>
    <message>
        <source>the store on %1 closed the connection</source>
        <translation>%1 上的汇合点关闭了连接</translation>
    </message>
    <message>
        <source>%1 cannot be found: %2</source>
        <translation>找不到 %1：%2</translation>
    </message>
    <message>
        <source>cannot listen on %1 port %2: %3</source>
        <translation>无法在 %1 的端口 %2 上监听：%3</translation>
    </message>
    <message>
        <source>%1 port %2 cannot be reached: %3</source>
        <translation>无法连接 %1 的端口 %2：%3</translation>
    </message>
    <message>
        <source>it does not accept our messages</source>
        <translation>它不接受发去的消息</translation>
    </message>
    <message>
        <source>it does not answer</source>
        <translation>它没有应答</translation>
    </message>
    <message>
        <source>it closed the connection</source>
        <translation>它关闭了连接</translation>
    </message>
    <message>
        <source>%1 is listed twice; use slots=N for several ranks</source>
        <translation>%1 出现两次；多个 rank 请用 slots=N</translation>
    </message>
    <message>
        <source>there is no host in it</source>
        <translation>其中没有主机</translation>
    </message>
    <message>
        <source>the run needs %1 ranks, and the hosts have %2 slots</source>
        <translation>此运行需要 %1 个 rank，而各主机共有 %2 个槽位（slots）</translation>
    </message>
    <message>
        <source>`%1` is not slots=N with N from 1 to %2</source>
        <translation>`%1` 不是 slots=N（N 为 1 到 %2）</translation>
    </message>
    <message>
        <source>`%1` cannot be a host name</source>
        <translation>`%1` 不能作为主机名</translation>
    </message>
    <message>
        <source>`%1` is not a list of nodes such as n[1-3,7],login</source>
        <translation>`%1` 不是节点列表（例如 `n[1-3,7],login`）</translation>
    </message>
    <message>
        <source>%1 cannot open %2: %3</source>
        <translation>%1 无法打开 %2：%3</translation>
    </message>
    <message>
        <source>a shared array</source>
        <translation>共享数组</translation>
    </message>
    <message>
        <source>its %1 draws run %2, which is not in it</source>
        <translation>其 %1 绘制了运行 %2，而打包文件中没有该运行</translation>
    </message>
    <message>
        <source>it is not a saved view</source>
        <translation>不是已保存的视图</translation>
    </message>
    <message>
        <source>it was saved by a later version of Lockstep</source>
        <translation>由更新版本的 Lockstep 保存</translation>
    </message>
    <message>
        <source>%1: rank %2 recorded a run with a different spec: these files do not belong to one run</source>
        <translation>%1：rank %2 记录的运行配置不同：这些文件不属于同一次运行</translation>
    </message>
    <message>
        <source>a value is incomplete</source>
        <translation>有一个值不完整</translation>
    </message>
    <message>
        <source>an event is incomplete</source>
        <translation>有一个事件不完整</translation>
    </message>
    <message>
        <source>cannot be read: %1</source>
        <translation>无法读取：%1</translation>
    </message>
    <message>
        <source>%1 cannot be read</source>
        <translation>无法读取 %1</translation>
    </message>
    <message>
        <source>queue: the request is not a line of JSON with &quot;do&quot;</source>
        <translation>队列：请求不是带有“do”的一行 JSON</translation>
    </message>
    <message>
        <source>queue: &quot;%1&quot; is not a request; allowed: %2</source>
        <translation>队列：“%1”不是请求；可用：%2</translation>
    </message>
    <message>
        <source>queue: the answer of its owner is invalid</source>
        <translation>队列：执行队列的进程的应答无效</translation>
    </message>
    <message>
        <source>a frame of the relay cannot be read</source>
        <translation>无法读取中继的一帧</translation>
    </message>
    <message>
        <source>the relay cannot start a rank: %1</source>
        <translation>中继无法启动 rank：%1</translation>
    </message>
    <message>
        <source>the relay cannot read its job: %1</source>
        <translation>中继无法读取其任务：%1</translation>
    </message>
    <message>
        <source>the relay has a job already</source>
        <translation>中继已有任务</translation>
    </message>
    <message>
        <source>a word of a command on another host contains a control character</source>
        <translation>另一台主机上命令的一个词含有控制字符</translation>
    </message>
    <message>
        <source>its description of itself is unreadable</source>
        <translation>无法读取它对自身的说明</translation>
    </message>
    <message>
        <source>more than %1 hosts</source>
        <translation>超过 %1 台主机</translation>
    </message>
    <message>
        <source>`%1` is not slots=N, program=/PATH or address=ADDRESS</source>
        <translation>`%1` 不是 slots=N、program=/PATH 或 address=ADDRESS</translation>
    </message>
    <message>
        <source>%1 is not name, slots, program or address</source>
        <translation>%1 不是 name、slots、program 或 address</translation>
    </message>
    <message>
        <source>it is not an object with a name, and slots, program and address where they differ</source>
        <translation>它不是带有 name（以及不同时的 slots、program 和 address）的对象</translation>
    </message>
    <message>
        <source>this cannot be read as a JSON list of hosts</source>
        <translation>无法将其读作 JSON 形式的主机列表</translation>
    </message>
    <message>
        <source>hosts: needs --hosts FILE; see lockstep hosts --help</source>
        <translation>hosts：需要 --hosts FILE；见 lockstep hosts --help</translation>
    </message>
    <message>
        <source>was lost with its host %1 (%2)</source>
        <translation>随其主机 %1 一同失去联系（%2）</translation>
    </message>
    <message>
        <source>could not be started on %1 (%2)</source>
        <translation>无法在 %1 上启动（%2）</translation>
    </message>
    <message>
        <source>rank %1 cannot be started on %2: %3</source>
        <translation>无法在 %2 上启动 rank %1：%3</translation>
    </message>
    <message>
        <source>%1: its lockstep-rank is of version %2 (protocol %3), this program of %4 (protocol %5): install the same on both</source>
        <translation>%1：其 lockstep-rank 为版本 %2（协议 %3），本程序为 %4（协议 %5）：请在两处安装相同版本</translation>
    </message>
    <message>
        <source>%1: its ranks need about %2 GB of memory, and %3 GB are free</source>
        <translation>%1：其 rank 约需 %2 GB 内存，而空闲 %3 GB</translation>
    </message>
    <message>
        <source>%1: its clock differs from this machine&apos;s by %2 s: set it</source>
        <translation>%1：其时钟与本机相差 %2 s：请校准</translation>
    </message>
    <message>
        <source>%1: the other hosts cannot reach it at %2: add address=ADDRESS to its line in the file of hosts</source>
        <translation>%1：其他主机无法通过 %2 访问它：请在主机文件中它的那一行加上 address=ADDRESS</translation>
    </message>
    <message>
        <source>%1: %2 cores, %3 GB of memory free; a round trip takes %4 ms, its clock is %5 ± %6 ms ahead</source>
        <translation>%1：%2 个核心，空闲内存 %3 GB；一次往返用时 %4 ms，其时钟超前 %5 ± %6 ms</translation>
    </message>
    <message>
        <source>no relay has answered for %1 s</source>
        <translation>%1 s 内没有中继应答</translation>
    </message>
    <message>
        <source>it has not been heard from for %1 s</source>
        <translation>已有 %1 s 没有它的消息</translation>
    </message>
    <message>
        <source>no lockstep-rank --relay of this version answers there</source>
        <translation>那里应答的不是此版本的 lockstep-rank --relay</translation>
    </message>
    <message>
        <source>hosts: --measure needs at least two hosts</source>
        <translation>hosts：--measure 至少需要两台主机</translation>
    </message>
    <message>
        <source>both names refer to the same machine</source>
        <translation>两个名称指同一台机器</translation>
    </message>
    <message>
        <source>latency and bandwidth cannot be derived from its times</source>
        <translation>由其耗时无法得出延迟和带宽</translation>
    </message>
    <message>
        <source>there is no Slurm allocation: start with salloc, as in salloc --nodes=2 --ntasks=4 lockstep run ...</source>
        <translation>当前不在 Slurm 的作业分配中：请用 salloc 启动，例如 salloc --nodes=2 --ntasks=4 lockstep run ...</translation>
    </message>
    <message>
        <source>SLURM_TASKS_PER_NODE: `%1` is not the tasks of %2 nodes, as in 2(x3),1</source>
        <translation>SLURM_TASKS_PER_NODE：`%1` 不是 %2 个节点的任务数，格式如 2(x3),1</translation>
    </message>
    <message>
        <source>the workbench waits at %1 for %2 ranks that others start with LOCKSTEP_WORKBENCH=%3</source>
        <translation>工作台在 %1 等待 %2 个 rank，它们由他人以 LOCKSTEP_WORKBENCH=%3 启动</translation>
    </message>
    <message>
        <source>others start their ranks, for one run at a time</source>
        <translation>它们的 rank 由他人启动，每次只为一个运行启动</translation>
    </message>
    <message>
        <source>it was closed</source>
        <translation>连接已关闭</translation>
    </message>
    <message>
        <source>TLS cannot be used: %1</source>
        <translation>无法使用 TLS：%1</translation>
    </message>
    <message>
        <source>the TLS 1.3 handshake with the workbench failed: %1</source>
        <translation>与工作台的 TLS 1.3 握手失败：%1</translation>
    </message>
    <message>
        <source>the TLS 1.3 handshake with the workbench timed out</source>
        <translation>与工作台的 TLS 1.3 握手超时</translation>
    </message>
    <message>
        <source>what answers at LOCKSTEP_TELEMETRY has a different certificate than this run&apos;s workbench</source>
        <translation>在 LOCKSTEP_TELEMETRY 应答的程序，其证书与本次运行的工作台不同</translation>
    </message>
    <message>
        <source>this lockstep-rank was built without OpenSSL&apos;s libssl, which TLS needs: use one that has it, or record with --record and follow the file</source>
        <translation>此 lockstep-rank 编译时没有 TLS 所需的 libssl（OpenSSL）：请使用带有它的版本，或用 --record 记录并跟随该文件</translation>
    </message>
    <message>
        <source>it is not 64 hexadecimal digits</source>
        <translation>它不是 64 个十六进制数字</translation>
    </message>
    <message>
        <source>no workbench writes it</source>
        <translation>工作台不会写出它</translation>
    </message>
    <message>
        <source>a line is not NAME=VALUE</source>
        <translation>有一行不是 NAME=VALUE</translation>
    </message>
    <message>
        <source>it lacks %1</source>
        <translation>缺少 %1</translation>
    </message>
    <message>
        <source>this Qt has no TLS: install its OpenSSL backend (libqt6network6 and libssl3)</source>
        <translation>此 Qt 不支持 TLS：请安装其 OpenSSL 后端（libqt6network6 和 libssl3）</translation>
    </message>
    <message>
        <source>OpenSSL cannot make a key and a certificate</source>
        <translation>OpenSSL 无法生成密钥和证书</translation>
    </message>
    <message>
        <source>belongs to another run</source>
        <translation>属于另一个运行</translation>
    </message>
    <message>
        <source>says that it is rank %1 of %2; this run has %3 ranks</source>
        <translation>自称是 %2 个 rank 中的 rank %1；本次运行有 %3 个 rank</translation>
    </message>
    <message>
        <source>says that it is rank %1, which has already connected</source>
        <translation>自称是 rank %1，但该 rank 已经连接</translation>
    </message>
    <message>
        <source>does not start a TLS 1.3 handshake</source>
        <translation>没有开始 TLS 1.3 握手</translation>
    </message>
    <message>
        <source>%1 already exists and was not written by a workbench: give another name</source>
        <translation>%1 已经存在，且不是工作台写出的文件：请换一个文件名</translation>
    </message>
    <message>
        <source>rank %1 of %2 has connected, from %3</source>
        <translation>共 %2 个 rank 中的 rank %1 已连接，来自 %3</translation>
    </message>
    <message>
        <source>the checkpoint of step %1 could not be gathered: %2</source>
        <translation>第 %1 步的检查点无法汇集：%2</translation>
    </message>
    <message>
        <source>rank %1 sent something other than the next piece of its file</source>
        <translation>rank %1 发送的不是其文件的下一段</translation>
    </message>
    <message>
        <source>checkpoint of step %1: the files of all hosts are in %2</source>
        <translation>第 %1 步的检查点：所有主机的文件都在 %2</translation>
    </message>
    <message>
        <source>checkpoint of step %1: %2 (each host has the files of its own ranks)</source>
        <translation>第 %1 步的检查点：%2（每台主机上只有本机 rank 的文件）</translation>
    </message>
    <message>
        <source>the checkpoint of step %1 could not be sent: %2</source>
        <translation>第 %1 步的检查点无法发送：%2</translation>
    </message>
    <message>
        <source>the ranks&apos; checkpoints are not gathered: %1</source>
        <translation>不收集各 rank 的检查点：%1</translation>
    </message>
    <message>
        <source>an earlier one is still being sent</source>
        <translation>更早的检查点仍在发送</translation>
    </message>
    <message>
        <source>%1, for which NCCL %2 is older than the %3 that is needed</source>
        <translation>%1，而 NCCL %2 低于所需的版本 %3</translation>
    </message>
    <message>
        <source>rank %1 on %2 shares its GPU with another rank</source>
        <translation>主机 %2 上的 rank %1 与另一个 rank 共用 GPU</translation>
    </message>
    <message>
        <source>the lockstep-rank of rank %1 on %2 has no NCCL</source>
        <translation>主机 %2 上 rank %1 的 lockstep-rank 不含 NCCL</translation>
    </message>
    <message>
        <source>rank %1 on %2 has NCCL %3, but rank %4 on %5 has %6</source>
        <translation>主机 %2 上的 rank %1 使用 NCCL %3，而主机 %5 上的 rank %4 使用 %6</translation>
    </message>
    <message>
        <source>no rank has begun to record into %1</source>
        <translation>还没有 rank 开始记录到 %1</translation>
    </message>
    <message>
        <source>%1 was begun again while it was being read: another run records into the same file</source>
        <translation>读取 %1 期间，该文件被从头重新写入：另一次运行也记录到这个文件</translation>
    </message>
    <message>
        <source>%1 is a run file, not a recording of lockstep-rank</source>
        <translation>%1 是运行文件，不是 lockstep-rank 的记录</translation>
    </message>
    <message>
        <source>%1 is a bundle, not a recording of lockstep-rank</source>
        <translation>%1 是打包文件，不是 lockstep-rank 的记录</translation>
    </message>
    <message>
        <source>reading the recording was stopped before the run ended</source>
        <translation>在运行结束之前停止了读取记录</translation>
    </message>
    <message>
        <source>%1 is not written any more: its ranks have ended; import it without --follow</source>
        <translation>%1 已不再写入：其各 rank 已结束；请不带 --follow 导入</translation>
    </message>
    <message>
        <source>rank %1 on %2 has a slice of a GPU (MIG), for which NCCL is not made</source>
        <translation>主机 %2 上的 rank %1 使用 GPU 的切片（MIG），NCCL 并非为此设计</translation>
    </message>
    <message>
        <source>the workbench is gone: nothing has been received from it for %1 s</source>
        <translation>工作台已断开：已有 %1 s 没有收到它的任何数据</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is not host:port</source>
        <translation>“%1”不是 host:port 的形式</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is not an open descriptor</source>
        <translation>“%1”不是已打开的描述符</translation>
    </message>
    <message>
        <source>%1 is on another machine, and its certificate is unknown: give the file that its workbench has written, as LOCKSTEP_WORKBENCH</source>
        <translation>%1 在另一台机器上，但没有指明它的证书：请用 LOCKSTEP_WORKBENCH 给出其工作台写出的文件</translation>
    </message>
    <message>
        <source>cannot read %1: %2</source>
        <translation>无法读取 %1：%2</translation>
    </message>
    <message>
        <source>%1 (%2 is %3)</source>
        <translation>%1 (%2 is %3)</translation>
    </message>
    <message>
        <source>memfd_create: %1</source>
        <translation>memfd_create：%1</translation>
    </message>
    <message>
        <source>%1 %2</source>
        <translation>%1 %2</translation>
    </message>
    <message>
        <source>nvrtcCreateProgram: %1</source>
        <translation>nvrtcCreateProgram：%1</translation>
    </message>
    <message>
        <source>%1: %2: %3</source>
        <translation>%1：%2：%3</translation>
    </message>
    <message>
        <source>%1/%2 is not a file of tensors: %3</source>
        <translation>%1/%2 不是张量文件：%3</translation>
    </message>
    <message>
        <source>rank %1 cannot read its part of it</source>
        <translation>rank %1 无法读取检查点中自己的部分</translation>
    </message>
    <message>
        <source>rank %1 has found another checkpoint there than rank %2</source>
        <translation>rank %1 在该处找到的检查点与 rank %2 的不同</translation>
    </message>
    <message>
        <source>the workbench is gone</source>
        <translation>工作台已断开</translation>
    </message>
    <message>
        <source>%1, while the run was measured after its last step</source>
        <translation>%1，发生在最后一步之后的测量期间</translation>
    </message>
    <message>
        <source>%1: the array is in a GPU&apos;s memory, which this group of ranks over %2 does not move; pass it in the host&apos;s memory, or use comm.backend=auto</source>
        <translation>%1：数组在 GPU 内存中，而此 %2 组不传输 GPU 内存；请传入主机内存中的数组，或使用 comm.backend=auto</translation>
    </message>
    <message>
        <source>shared memory: %1: %2</source>
        <translation>共享内存：%1：%2</translation>
    </message>
    <message>
        <source>shared memory: only %1 of %2 ranks have arrived within %3 s</source>
        <translation>共享内存：%3 s 内只有 %1/%2 个 rank 到达</translation>
    </message>
    <message>
        <source>shared memory: rank 0 has not arrived within %1 s</source>
        <translation>共享内存：rank 0 未在 %1 s 内到达</translation>
    </message>
    <message>
        <source>rank %1 on %2 has a GPU, but rank %3 on %4 has none; use cpu, or only hosts with GPUs</source>
        <translation>主机 %2 上的 rank %1 有 GPU，而主机 %4 上的 rank %3 没有；请用 cpu，或只用有 GPU 的主机</translation>
    </message>
    <message>
        <source>nccl cannot be used: %1; use auto or gloo</source>
        <translation>不能使用 nccl：%1；请用 auto 或 gloo</translation>
    </message>
    <message>
        <source>this is not a JSON object</source>
        <translation>不是 JSON 对象</translation>
    </message>
    <message>
        <source>%1 is not an entry of a spec; allowed: %2</source>
        <translation>%1 不是 spec 的条目；可用：%2</translation>
    </message>
    <message>
        <source>%1 is not an integer in [1, 100]</source>
        <translation>%1 不是 [1, 100] 中的整数</translation>
    </message>
    <message>
        <source>%1: %2: %3 is not a text in en or zh</source>
        <translation>%1：%2：%3 不是 en 或 zh 的文本</translation>
    </message>
    <message>
        <source>charts: %1 is not a list of the names of charts</source>
        <translation>charts：%1 不是图表名称的列表</translation>
    </message>
    <message>
        <source>%1 is not an object of parameters</source>
        <translation>%1 不是由参数组成的对象</translation>
    </message>
    <message>
        <source>%1 is not a variant; allowed: none, this spec has no variants</source>
        <translation>%1 不是变体；可用：无，此 spec 没有变体</translation>
    </message>
    <message>
        <source>%1 is not a variant; allowed: %2</source>
        <translation>%1 不是变体；可用：%2</translation>
    </message>
    <message>
        <source>%1 is not %2</source>
        <translation>%1 不是 %2</translation>
    </message>
    <message>
        <source>%1 or %2</source>
        <translation>%1 或 %2</translation>
    </message>
    <message>
        <source>%1 is %2</source>
        <translation>%1 为 %2</translation>
    </message>
    <message>
        <source>%1 and %2</source>
        <translation>%1 且 %2</translation>
    </message>
    <message>
        <source>%1 cannot be written: it is not a file</source>
        <translation>无法写入 %1：它不是文件</translation>
    </message>
    <message>
        <source>queue: the request is longer than 16 MiB</source>
        <translation>queue：请求超过 16 MiB</translation>
    </message>
    <message>
        <source>queue: the request lacks an &quot;id&quot;</source>
        <translation>queue：请求缺少“id”</translation>
    </message>
    <message>
        <source>queue: add needs a &quot;name&quot; and &quot;runs&quot;</source>
        <translation>queue：add 需要“name”和“runs”</translation>
    </message>
    <message>
        <source>queue: move needs a position, &quot;to&quot;</source>
        <translation>queue：move 需要位置“to”</translation>
    </message>
    <message>
        <source>queue: &quot;id&quot; is not the number of an entry</source>
        <translation>queue：&quot;id&quot; 不是条目的编号</translation>
    </message>
    <message>
        <source>%1: cannot be written: there is not enough room</source>
        <translation>%1：无法写入：空间不足</translation>
    </message>
    <message>
        <source>has not proved that it belongs to this run</source>
        <translation>没有证明它属于此运行</translation>
    </message>
    <message>
        <source>speaks protocol version %1, this program speaks %2: build both from the same sources</source>
        <translation>使用协议版本 %1，本程序使用 %2：请用同一份源码编译两者</translation>
    </message>
    <message>
        <source>cannot listen for the ranks on %1%2: %3</source>
        <translation>无法在 %1%2 上监听 rank 的连接：%3</translation>
    </message>
    <message>
        <source>it had no end when its file was copied</source>
        <translation>复制其文件时它尚未结束</translation>
    </message>
    <message>
        <source>run store: %1: %2</source>
        <translation>运行库：%1：%2</translation>
    </message>
    <message>
        <source>%1 is not KEY=VALUE with a parameter&apos;s name</source>
        <translation>%1 不是以参数名开头的 KEY=VALUE</translation>
    </message>
    <message>
        <source>%1 is not one of %2</source>
        <translation>%1 不是 %2 之一</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is not KEY=VALUE</source>
        <translation>“%1”不是 KEY=VALUE</translation>
    </message>
    <message>
        <source>lockstep launch starts lockstep-rank only, not `%1`</source>
        <translation>lockstep launch 只启动 lockstep-rank，不启动 `%1`</translation>
    </message>
    <message>
        <source>no answer</source>
        <translation>没有回应</translation>
    </message>
    <message>
        <source>queue %1: takes at most 1 argument; lockstep queue --help</source>
        <translation>queue %1：最多 1 个参数；lockstep queue --help</translation>
    </message>
    <message>
        <source>a connection was rejected (%1 so far): it %2</source>
        <translation>拒绝了一个连接（目前共 %1 个）：它%2</translation>
    </message>
    <message>
        <source>rank %1 %2</source>
        <translation>rank %1 %2</translation>
    </message>
    <message>
        <source>%1 after its final report</source>
        <translation>%1（在最终报告之后）</translation>
    </message>
    <message>
        <source>%1 after step %2</source>
        <translation>%1（在第 %2 步之后）</translation>
    </message>
    <message>
        <source>%1 before its first step</source>
        <translation>%1（在第一步之前）</translation>
    </message>
    <message>
        <source>%1; its last lines: %2</source>
        <translation>%1；最后几行：%2</translation>
    </message>
    <message>
        <source>rank %1 sent a message that a rank does not send at this point</source>
        <translation>rank %1 发送了此时不应发送的消息</translation>
    </message>
    <message>
        <source>rank %1 did not exit after its final report: ended</source>
        <translation>rank %1 在最终报告之后没有退出：已将其终止</translation>
    </message>
    <message>
        <source>closed its connection</source>
        <translation>断开了连接</translation>
    </message>
    <message>
        <source>was cut off</source>
        <translation>已被断开</translation>
    </message>
    <message>
        <source>was killed</source>
        <translation>被终止</translation>
    </message>
    <message>
        <source>was killed by %1</source>
        <translation>被 %1 终止</translation>
    </message>
    <message>
        <source>ended: mpirun %1</source>
        <translation>已结束：mpirun %1</translation>
    </message>
    <message>
        <source>was ended by mpirun because of rank %1</source>
        <translation>因 rank %1 而被 mpirun 终止</translation>
    </message>
    <message>
        <source>ended too early</source>
        <translation>过早结束</translation>
    </message>
    <message>
        <source>GPU memory</source>
        <translation>GPU 内存</translation>
    </message>
    <message>
        <source>the ranks did not stop when asked and were ended</source>
        <translation>各 rank 没有按要求停止，已被终止</translation>
    </message>
    <message>
        <source>killed on request</source>
        <translation>按要求终止</translation>
    </message>
    <message>
        <source>was built from other sources</source>
        <translation>由另一份源码编译</translation>
    </message>
    <message>
        <source>its relay</source>
        <translation>其中继</translation>
    </message>
    <message>
        <source>needs --world-size as well</source>
        <translation>还需要 --world-size</translation>
    </message>
    <message>
        <source>needs --rank as well</source>
        <translation>还需要 --rank</translation>
    </message>
    <message>
        <source>needs --rank and --world-size as well</source>
        <translation>还需要 --rank 和 --world-size</translation>
    </message>
    <message>
        <source>%1 is not less than --world-size %2</source>
        <translation>%1 不小于 --world-size %2</translation>
    </message>
    <message>
        <source>%1 is set, but %2 is not: a rank needs both</source>
        <translation>设置了 %1，但没有设置 %2：一个 rank 两者都需要</translation>
    </message>
    <message>
        <source>env:// needs MASTER_ADDR</source>
        <translation>env:// 需要 MASTER_ADDR</translation>
    </message>
    <message>
        <source>eventfd: %1</source>
        <translation>eventfd：%1</translation>
    </message>
    <message>
        <source>%1 has several addresses, and nothing says which one the ranks use; name an interface or a subnet</source>
        <translation>%1 有多个地址，而没有指定 rank 使用哪一个；请指定接口或子网</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is not a whole number of 1 to %2</source>
        <translation>“%1”不是 1 到 %2 的整数</translation>
    </message>
    <message>
        <source>`%1` must be a subnet such as 10.1.0.0/16</source>
        <translation>`%1` 应为子网（例如 10.1.0.0/16）</translation>
    </message>
    <message>
        <source>%1: %2 would use %3, which other hosts cannot reach; name an interface or a subnet</source>
        <translation>%1：%2 会使用 %3，而其他主机无法连到它；请指定接口或子网</translation>
    </message>
    <message>
        <source>the store on %1: timed out after %2 s</source>
        <translation>%1 上的存储：%2 s 后超时</translation>
    </message>
    <message>
        <source>the store on %1 is gone</source>
        <translation>%1 上的存储已断开</translation>
    </message>
    <message>
        <source>is not what lockstep-rank --script-files writes; both programs must be of one version</source>
        <translation>不是 lockstep-rank --script-files 写出的内容；两个程序的版本必须相同</translation>
    </message>
    <message>
        <source>--%1: only for --chart parameter and --chart heat-map</source>
        <translation>--%1：仅用于 `--chart parameter` 和 `--chart heat-map`</translation>
    </message>
    <message>
        <source>these runs do not differ in %1, nor in any other parameter</source>
        <translation>这些运行的 %1 没有区别，其他参数也没有区别</translation>
    </message>
    <message>
        <source>rank %1: forward and backward of batches of %2</source>
        <translation>rank %1：批大小为 %2 的前向和反向</translation>
    </message>
    <message>
        <source>the ranks ran on several hosts: their times are put together by the hosts&apos; wall clocks, and differ by as much as these do</source>
        <translation>各 rank 在多台主机上运行：时间按各主机的系统时钟对齐，误差与这些时钟的差别相同</translation>
    </message>
    <message>
        <source>the ranks ran on several hosts whose clocks are not known: times of different hosts cannot be compared</source>
        <translation>各 rank 在多台主机上运行，而这些主机的时钟未知：不同主机的时间不能相互比较</translation>
    </message>
    <message>
        <source>the recording of rank %1 is not among these files</source>
        <translation>这些文件中没有 rank %1 的记录</translation>
    </message>
    <message>
        <source>pytorch: needs one preset or spec file, for example: lockstep pytorch aggregation --only ring --out ring.py</source>
        <translation>pytorch：需要一个预设或实验配置文件，例如：lockstep pytorch aggregation --only ring --out ring.py</translation>
    </message>
    <message>
        <source>launch: needs %1; see lockstep launch --help</source>
        <translation>launch：需要 %1；见 lockstep launch --help</translation>
    </message>
    <message>
        <source>%1 already exists; name a new file</source>
        <translation>%1 已存在；请指定新文件</translation>
    </message>
    <message>
        <source>%1 is no bundle; only a bundle has one</source>
        <translation>%1 不是 bundle；只有 bundle 才有</translation>
    </message>
    <message>
        <source>%1 could not be started: %2</source>
        <translation>无法启动 %1：%2</translation>
    </message>
    <message>
        <source>%1 is not in PATH: install %2</source>
        <translation>PATH 中没有 %1：请安装 %2</translation>
    </message>
    <message>
        <source>%1 is outside %2</source>
        <translation>%1 超出范围 %2</translation>
    </message>
    <message>
        <source>rank %1</source>
        <translation>rank %1</translation>
    </message>
    <message>
        <source>global rank %1</source>
        <translation>全局 rank %1</translation>
    </message>
    <message>
        <source>not all ranks have arrived within %1 s; %2</source>
        <translation>并非所有 rank 都在 %1 s 内到达；%2</translation>
    </message>
    <message>
        <source>%1 has left the group</source>
        <translation>%1 已离开组</translation>
    </message>
    <message>
        <source>a shared array: %1 wants %2 bytes, %3 %4</source>
        <translation>共享数组：%1 要 %2 字节，%3 要 %4 字节</translation>
    </message>
    <message>
        <source>%1 (process %2) has left the group</source>
        <translation>%1（进程 %2）已离开组</translation>
    </message>
    <message>
        <source>%1 (process %2) has died</source>
        <translation>%1（进程 %2）已终止</translation>
    </message>
    <message>
        <source>%1 has not arrived within %2 s</source>
        <translation>%1 未在 %2 s 内到达</translation>
    </message>
    <message>
        <source>%1 has waited %2 s for %3</source>
        <translation>%1 等待 %3 已达 %2 s</translation>
    </message>
    <message>
        <source>it has not been completed within %1 s; all ranks have arrived</source>
        <translation>在 %1 s 内没有完成；所有 rank 都已到达</translation>
    </message>
    <message>
        <source>the ranks call different operations: %1 calls %2, %3 calls %4</source>
        <translation>各 rank 调用的操作不同：%1 调用 %2，%3 调用 %4</translation>
    </message>
    <message>
        <source>%1 has sent %2 %3, %4 expected %5 %6</source>
        <translation>%1 发送了 %2 %3，而 %4 期望 %5 %6</translation>
    </message>
    <message>
        <source>another %1</source>
        <translation>另一个 %1</translation>
    </message>
    <message>
        <source>%1 of %2 joined, but rank 0 expects a different number of ranks: give all ranks of a job the same WORLD_SIZE, and %3</source>
        <translation>%1（共 %2）到达时，rank 0 等待的 rank 数不同：请给同一作业的所有 rank 相同的 WORLD_SIZE，并%3</translation>
    </message>
    <message>
        <source>%1 was started with a different spec than rank 0: give all ranks of a job the same, and %2</source>
        <translation>%1 启动时的配置与 rank 0 不同：请给同一作业的所有 rank 相同的配置，并%2</translation>
    </message>
    <message>
        <source>%1 joined twice: two jobs use the same name; %2</source>
        <translation>%1 到达了两次：两个作业使用了同一名称；请%2</translation>
    </message>
    <message>
        <source>%1 was refused by rank 0</source>
        <translation>%1 被 rank 0 拒绝</translation>
    </message>
    <message>
        <source>the rendezvous %1</source>
        <translation>汇合点 %1</translation>
    </message>
    <message>
        <source>%1 has given its device up, which waits for a rank that has died</source>
        <translation>%1 已放弃其设备，因为设备在等待已终止的 rank</translation>
    </message>
    <message>
        <source>the work of %1 has not come on the device within %2 s</source>
        <translation>%1 的工作未在 %2 s 内到达设备</translation>
    </message>
    <message>
        <source>a rank is lost</source>
        <translation>一个 rank 已失去联系</translation>
    </message>
    <message>
        <source>nccl: %1 cannot begin a group: %2</source>
        <translation>nccl：%1 无法建立组：%2</translation>
    </message>
    <message>
        <source>meeting the other ranks</source>
        <translation>与其他 rank 会合</translation>
    </message>
    <message>
        <source>on the device</source>
        <translation>在设备上</translation>
    </message>
    <message>
        <source>nccl: %1: %2</source>
        <translation>nccl：%1：%2</translation>
    </message>
    <message>
        <source>stage call: %1 has waited %2 s for %3</source>
        <translation>阶段调用：%1 等待 %3 已达 %2 s</translation>
    </message>
    <message>
        <source>%1 has ended</source>
        <translation>%1 已结束</translation>
    </message>
    <message>
        <source>%1 has waited %2 s for %3, which is at step %4</source>
        <translation>%1 等待 %3 已达 %2 s，而 %3 还在第 %4 步</translation>
    </message>
    <message>
        <source>%1 (process %2 on %3)</source>
        <translation>%1（%3 上的进程 %2）</translation>
    </message>
    <message>
        <source>%1 (process %2 on %3) has left the group</source>
        <translation>%1（%3 上的进程 %2）已离开组</translation>
    </message>
    <message>
        <source>%1 (process %2 on %3) has died</source>
        <translation>%1（%3 上的进程 %2）已终止</translation>
    </message>
    <message>
        <source>%1 (process %2 on %3) has not been heard for %4 s</source>
        <translation>%1（%3 上的进程 %2）已有 %4 s 没有消息</translation>
    </message>
    <message>
        <source>the store on %1 has ended</source>
        <translation>%1 上的汇合点已结束</translation>
    </message>
    <message>
        <source>the store on %1 sent a frame that is too long</source>
        <translation>%1 上的汇合点发送了过长的帧</translation>
    </message>
    <message>
        <source>the store on %1 has not been heard for %2 s</source>
        <translation>%1 上的汇合点已有 %2 s 没有消息</translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <translation>%1（%2）</translation>
    </message>
    <message>
        <source>%1 GPUs</source>
        <translation>%1 个 GPU</translation>
    </message>
    <message>
        <source>%1 cannot be imported</source>
        <translation>无法导入 %1</translation>
    </message>
    <message>
        <source>%1 does not exist: this machine has %2 GPU (%3); use it, auto or cpu</source>
        <translation>%1 不存在：本机有 %2 个 GPU（%3）；请用它、auto 或 cpu</translation>
    </message>
    <message>
        <source>%1 has %2, and its %4 ranks take about %3 without what CUDA keeps for itself: the run may run out of memory; use a smaller train.batch, more GPUs, or a strategy that splits the model</source>
        <translation>%1 有 %2，其上的 %4 个 rank 约需 %3，还不含 CUDA 自身占用的部分：运行可能内存不足；请减小 train.batch、使用更多 GPU，或选用划分模型的策略</translation>
    </message>
    <message>
        <source>%1 has no %2</source>
        <translation>%1 没有 %2</translation>
    </message>
    <message>
        <source>%1 has no %2 on this host: the ranks of each host keep their own files; start rank %3 on the host that has it, or copy the file</source>
        <translation>%1 在此主机上没有 %2：每台主机的 rank 各自保存文件；请在有该文件的主机上启动 rank %3，或复制该文件</translation>
    </message>
    <message>
        <source>%1 is not NVIDIA&apos;s management library</source>
        <translation>%1 不是 NVIDIA 的管理库</translation>
    </message>
    <message>
        <source>%1 over %2</source>
        <translation>%1，后端 %2</translation>
    </message>
    <message>
        <source>%1 rank has %2</source>
        <translation>%1 个 rank 使用 %2</translation>
    </message>
    <message>
        <source>%1 rank has 1 slice of %2</source>
        <translation>%1 个 rank 使用 %2 的 1 个切片</translation>
    </message>
    <message>
        <source>%1 ranks have %2</source>
        <translation>%1 个 rank 使用 %2</translation>
    </message>
    <message>
        <source>%1 ranks have %2 slices of %3</source>
        <translation>%1 个 rank 使用 %3 的 %2 个切片</translation>
    </message>
    <message>
        <source>%1 ranks share %2</source>
        <translation>%1 个 rank 共用 %2</translation>
    </message>
    <message>
        <source>%1 ranks share %2 slices of %3</source>
        <translation>%1 个 rank 共用 %3 的 %2 个切片</translation>
    </message>
    <message>
        <source>%1 ranks share 1 slice of %2</source>
        <translation>%1 个 rank 共用 %2 的 1 个切片</translation>
    </message>
    <message>
        <source>%1 was made with %2 %3, this run has %4</source>
        <translation>%1 生成时 %2 为 %3，此次运行为 %4</translation>
    </message>
    <message>
        <source>%1 with CUDA IPC</source>
        <translation>%1，CUDA IPC</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1，%2</translation>
    </message>
    <message>
        <source>%1, %2 + %3 images of %4</source>
        <translation>%1，%2 + %3 张 %4 图像</translation>
    </message>
    <message>
        <source>%1, MIG: cut into %2 slices</source>
        <translation>%1，MIG：分为 %2 个切片</translation>
    </message>
    <message>
        <source>%1, MIG: cut into 1 slice</source>
        <translation>%1，MIG：分为 1 个切片</translation>
    </message>
    <message>
        <source>%1, and %2</source>
        <translation>%1，而且%2</translation>
    </message>
    <message>
        <source>%1, compute capability %2</source>
        <translation>%1，计算能力 %2</translation>
    </message>
    <message>
        <source>%1, persistence off (each first use wakes the driver, which takes a second; `sudo nvidia-smi -pm 1`)</source>
        <translation>%1，持久模式关闭（每次首次使用都要唤醒驱动，约需一秒；可执行 `sudo nvidia-smi -pm 1`）</translation>
    </message>
    <message>
        <source>%1, several ranks per GPU</source>
        <translation>%1，每个 GPU 多个 rank</translation>
    </message>
    <message>
        <source>%1, staged through host memory</source>
        <translation>%1，经主机内存中转</translation>
    </message>
    <message>
        <source>%1, staged through host memory (CUDA IPC does not work here: %2)</source>
        <translation>%1，经主机内存中转（CUDA IPC 在此不可用：%2）</translation>
    </message>
    <message>
        <source>%1; %2</source>
        <translation>%1；%2</translation>
    </message>
    <message>
        <source>1 GPU</source>
        <translation>1 个 GPU</translation>
    </message>
    <message>
        <source>Driver, GPU and LibTorch fit together, and yet LibTorch finds no GPU: `nvidia-smi` shows whether the GPU is healthy, and /dev/nvidia-uvm must exist (`sudo nvidia-modprobe -u -c 0` creates it).</source>
        <translation>驱动、GPU 和 LibTorch 彼此匹配，但 LibTorch 找不到 GPU：`nvidia-smi` 可显示 GPU 是否正常；/dev/nvidia-uvm 必须存在（`sudo nvidia-modprobe -u -c 0` 可创建它）。</translation>
    </message>
    <message>
        <source>GPU %1 is in MIG mode and has no slices, so nothing runs on it: create some (`sudo nvidia-smi mig -cgi 0 -C`), or switch MIG off (`sudo nvidia-smi -mig 0`).</source>
        <translation>GPU %1 处于 MIG 模式但没有切片，因此无法在其上运行：请创建切片（`sudo nvidia-smi mig -cgi 0 -C`），或关闭 MIG（`sudo nvidia-smi -mig 0`）。</translation>
    </message>
    <message>
        <source>GPU %1, %2, has compute capability %3; LibTorch has code for %4 alone. The GPU is newer than this LibTorch: use a later release.</source>
        <translation>GPU %1（%2）的计算能力为 %3，而 LibTorch 只有适用于 %4 的代码。该 GPU 比此 LibTorch 新：请使用更新的版本。</translation>
    </message>
    <message>
        <source>GPU %1, %2, has compute capability %3; LibTorch has code for %4 alone. The GPU is too old for this LibTorch: an earlier release, or one for an earlier CUDA, may still have its code.</source>
        <translation>GPU %1（%2）的计算能力为 %3，而 LibTorch 只有适用于 %4 的代码。该 GPU 对此 LibTorch 来说过旧：更早的版本，或针对更早 CUDA 的版本，可能仍含有其代码。</translation>
    </message>
    <message>
        <source>If this computer has an NVIDIA GPU: it needs WSL 2 (`wsl -l -v` says which; `wsl --update`), Windows 11 or 10 21H2, and NVIDIA&apos;s driver in Windows.</source>
        <translation>如果这台计算机有 NVIDIA GPU：需要 WSL 2（`wsl -l -v` 可查看版本；`wsl --update` 可更新）、Windows 11 或 10 21H2，以及 Windows 中的 NVIDIA 驱动。</translation>
    </message>
    <message>
        <source>Install NVIDIA&apos;s current driver in Windows, not in WSL: a Linux driver inside WSL would conflict with it. Then run `wsl --shutdown` in Windows and start WSL again.</source>
        <translation>请在 Windows 中（而不是在 WSL 中）安装 NVIDIA 的最新驱动：WSL 中的 Linux 驱动会与之冲突。然后在 Windows 中执行 `wsl --shutdown`，再重新启动 WSL。</translation>
    </message>
    <message>
        <source>Install the libraries of driver %1: on Debian `sudo apt install libcuda1 libnvidia-ml1`, on Ubuntu the packages libnvidia-compute-VERSION and nvidia-utils-VERSION.</source>
        <translation>请安装驱动 %1 的库：Debian 上执行 `sudo apt install libcuda1 libnvidia-ml1`，Ubuntu 上安装 libnvidia-compute-VERSION 和 nvidia-utils-VERSION 软件包。</translation>
    </message>
    <message>
        <source>LOCKSTEP_NVML names %1, which cannot be loaded</source>
        <translation>LOCKSTEP_NVML 指定的 %1 无法加载</translation>
    </message>
    <message>
        <source>LibTorch was built with CUDA %1, which needs %2; here is %3, for CUDA up to %4: install a newer driver in Windows, or build against a LibTorch for CUDA %5.</source>
        <translation>LibTorch 用 CUDA %1 构建，需要%2；本机的驱动是 %3，最高支持 CUDA %4：请在 Windows 中安装更新的驱动，或改用针对 CUDA %5 的 LibTorch 构建。</translation>
    </message>
    <message>
        <source>LibTorch was built with CUDA %1, which needs %2; here is %3, for CUDA up to %4: install a newer driver, or build against a LibTorch for CUDA %5.</source>
        <translation>LibTorch 用 CUDA %1 构建，需要%2；本机的驱动是 %3，最高支持 CUDA %4：请安装更新的驱动，或改用针对 CUDA %5 的 LibTorch 构建。</translation>
    </message>
    <message>
        <source>LibTorch was built with CUDA %1, which needs %2; here is %3: install a newer driver in Windows.</source>
        <translation>LibTorch 用 CUDA %1 构建，需要%2；本机的驱动是 %3：请在 Windows 中安装更新的驱动。</translation>
    </message>
    <message>
        <source>LibTorch was built with CUDA %1, which needs %2; here is %3: install a newer driver.</source>
        <translation>LibTorch 用 CUDA %1 构建，需要%2；本机的驱动是 %3：请安装更新的驱动。</translation>
    </message>
    <message>
        <source>NVIDIA&apos;s library and its kernel module are of different versions</source>
        <translation>NVIDIA 的库与其内核模块版本不一致</translation>
    </message>
    <message>
        <source>Restart the machine after installing the driver, or run `sudo modprobe nvidia`. If that fails, `sudo dmesg` says why: often Secure Boot refuses a module that is not signed (enrol its key or switch Secure Boot off), or the kernel&apos;s headers were missing when it was built.</source>
        <translation>安装驱动后请重启机器，或执行 `sudo modprobe nvidia`。如果失败，`sudo dmesg` 会显示原因：常见的是安全启动（Secure Boot）拒绝未签名的模块（请登记其密钥或关闭安全启动），或构建时缺少内核头文件。</translation>
    </message>
    <message>
        <source>Start the container again: the host&apos;s driver was updated while it ran.</source>
        <translation>请重新启动容器：容器运行期间主机的驱动已更新。</translation>
    </message>
    <message>
        <source>Start the container with `--gpus all` and NVIDIA_DRIVER_CAPABILITIES=compute,utility, so that NVIDIA&apos;s Container Toolkit brings the libraries of the host&apos;s driver in.</source>
        <translation>启动容器时请加上 `--gpus all` 和 NVIDIA_DRIVER_CAPABILITIES=compute,utility，使 NVIDIA Container Toolkit 把主机驱动的库带入容器。</translation>
    </message>
    <message>
        <source>Start the container with `--gpus all`: it has the nodes but not the right to open them.</source>
        <translation>启动容器时请加上 `--gpus all`：容器中有设备节点，但无权打开。</translation>
    </message>
    <message>
        <source>Start the container with its GPUs: `docker run --gpus all ...` or `podman run --device nvidia.com/gpu=all ...`, with NVIDIA&apos;s Container Toolkit installed on the host.</source>
        <translation>启动容器时请带上 GPU：`docker run --gpus all ...` 或 `podman run --device nvidia.com/gpu=all ...`，并在主机上安装 NVIDIA Container Toolkit。</translation>
    </message>
    <message>
        <source>The rank program for GPUs does not work (%1): build it again with `./run --cuda`.</source>
        <translation>用于 GPU 的 rank 程序无法工作（%1）：请用 `./run --cuda` 重新构建。</translation>
    </message>
    <message>
        <source>`nvidia-smi` and `sudo dmesg | grep -i nvrm` say more. Restarting, or reinstalling the driver, helps most often.</source>
        <translation>`nvidia-smi` 和 `sudo dmesg | grep -i nvrm` 有更多说明。重启或重新安装驱动通常可以解决。</translation>
    </message>
    <message>
        <source>`sudo dmesg | grep -i nvrm` shows what the driver reports about the GPU: often it is too old for this driver, or has fallen off the bus and needs a restart.</source>
        <translation>`sudo dmesg | grep -i nvrm` 会显示驱动对该 GPU 的报告：常见的是 GPU 对此驱动来说过旧，或已从总线上断开而需要重启。</translation>
    </message>
    <message>
        <source>a newer driver</source>
        <translation>更新的驱动</translation>
    </message>
    <message>
        <source>a part of the NVIDIA driver&apos;s libraries is missing</source>
        <translation>缺少 NVIDIA 驱动的一部分库</translation>
    </message>
    <message>
        <source>activation recomputation: %1 segments of layers, %2 % of forward runs again in backward</source>
        <translation>激活重计算：层分为 %1 段，%2 % 的前向计算在反向时重新执行</translation>
    </message>
    <message>
        <source>activation recomputation: each stage keeps only its inputs and runs forward again in backward</source>
        <translation>激活重计算：每个阶段只保留其输入，在反向时重新执行前向计算</translation>
    </message>
    <message>
        <source>an empty value</source>
        <translation>空值</translation>
    </message>
    <message>
        <source>asynchronous</source>
        <translation>异步</translation>
    </message>
    <message>
        <source>cannot be made</source>
        <translation>无法创建</translation>
    </message>
    <message>
        <source>cannot be read</source>
        <translation>无法读取</translation>
    </message>
    <message>
        <source>cannot be written</source>
        <translation>无法写入</translation>
    </message>
    <message>
        <source>depends on Windows&apos; driver under WSL; where it is missing, ranks use gloo</source>
        <translation>在 WSL 下取决于 Windows 的驱动；不支持时 rank 使用 gloo</translation>
    </message>
    <message>
        <source>driver %1 or newer</source>
        <translation>驱动 %1 或更新版本</translation>
    </message>
    <message>
        <source>host %1</source>
        <translation>主机 %1</translation>
    </message>
    <message>
        <source>in %1 groups of %2 ranks</source>
        <translation>分为 %1 组，每组 %2 个 rank</translation>
    </message>
    <message>
        <source>its %1</source>
        <translation>其 %1</translation>
    </message>
    <message>
        <source>its LibTorch was built without CUDA</source>
        <translation>其 LibTorch 构建时没有 CUDA</translation>
    </message>
    <message>
        <source>its number of ranks is out of range</source>
        <translation>其 rank 数超出范围</translation>
    </message>
    <message>
        <source>its run %1</source>
        <translation>其中的运行 %1</translation>
    </message>
    <message>
        <source>line %1</source>
        <translation>第 %1 行</translation>
    </message>
    <message>
        <source>loss %1</source>
        <translation>损失 %1</translation>
    </message>
    <message>
        <source>matrix product float32</source>
        <translation>矩阵乘积 float32</translation>
    </message>
    <message>
        <source>matrix product float64</source>
        <translation>矩阵乘积 float64</translation>
    </message>
    <message>
        <source>missing</source>
        <translation>缺失</translation>
    </message>
    <message>
        <source>nccl needs a GPU for each rank, and LibTorch %1 finds none on this machine; use auto, shm, gloo or mpi</source>
        <translation>nccl 要求每个 rank 有一个 GPU，而 LibTorch %1 在本机找不到；请用 auto、shm、gloo 或 mpi</translation>
    </message>
    <message>
        <source>no NVIDIA driver: its library %1 is not here</source>
        <translation>没有 NVIDIA 驱动：缺少其库 %1</translation>
    </message>
    <message>
        <source>no answer within %1 s</source>
        <translation>%1 s 内没有响应</translation>
    </message>
    <message>
        <source>no reason given</source>
        <translation>未说明原因</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>of unknown version</source>
        <translation>版本未知</translation>
    </message>
    <message>
        <source>preset %1</source>
        <translation>预设 %1</translation>
    </message>
    <message>
        <source>record %1</source>
        <translation>记录 %1</translation>
    </message>
    <message>
        <source>root %1</source>
        <translation>根 rank %1</translation>
    </message>
    <message>
        <source>run %1</source>
        <translation>运行 %1</translation>
    </message>
    <message>
        <source>the NVIDIA driver finds no GPU</source>
        <translation>NVIDIA 驱动找不到 GPU</translation>
    </message>
    <message>
        <source>the NVIDIA driver is not loaded</source>
        <translation>NVIDIA 驱动未加载</translation>
    </message>
    <message>
        <source>the NVIDIA driver&apos;s management library does not start: %1 (%2)</source>
        <translation>NVIDIA 驱动的管理库无法启动：%1（%2）</translation>
    </message>
    <message>
        <source>the built-in text</source>
        <translation>内置文本</translation>
    </message>
    <message>
        <source>the device nodes /dev/nvidia* may not be opened</source>
        <translation>无权打开设备节点 /dev/nvidia*</translation>
    </message>
    <message>
        <source>the driver is for CUDA %1, LibTorch for %2: of one major version, so they work together (code compiled at start needs a driver as new as its compiler)</source>
        <translation>驱动对应 CUDA %1，LibTorch 对应 %2：主版本相同，因此可以配合使用（启动时编译的代码要求驱动不旧于其编译器）</translation>
    </message>
    <message>
        <source>the driver is that of Windows; it reports less than a Linux driver, and missing figures are left out</source>
        <translation>使用 Windows 的驱动；它报告的内容少于 Linux 驱动，缺失的数据不显示</translation>
    </message>
    <message>
        <source>the workbench closed the connection</source>
        <translation>工作台关闭了连接</translation>
    </message>
    <message>
        <source>the workbench&apos;s answer cannot be read</source>
        <translation>无法读取工作台的应答</translation>
    </message>
    <message>
        <source>variant %1</source>
        <translation>变体 %1</translation>
    </message>
    <message>
        <source>%1, rendezvous %2</source>
        <translation>%1，汇合方式 %2</translation>
    </message>
    <message>
        <source>GPU found: using the CUDA flavour</source>
        <translation>找到 GPU：使用 CUDA 版</translation>
    </message>
    <message>
        <source>No GPU found: running on the CPU</source>
        <translation>未找到 GPU：在 CPU 上运行</translation>
    </message>
    <message>
        <source>Running on the CPU: comm.backend mpi carries host memory only</source>
        <translation>在 CPU 上运行：comm.backend 为 mpi 时只能传送主机内存</translation>
    </message>
    <message>
        <source>Running on the CPU: device is cpu</source>
        <translation>在 CPU 上运行：device 为 cpu</translation>
    </message>
    <message>
        <source>Using the CUDA flavour, the only one installed</source>
        <translation>使用 CUDA 版，只安装了这一版</translation>
    </message>
    <message>
        <source>Using the CUDA flavour: %1 is %2</source>
        <translation>使用 CUDA 版：%1 为 %2</translation>
    </message>
    <message>
        <source>rank %1 of %2</source>
        <translation>rank %1（共 %2 个）</translation>
    </message>
    <message>
        <source>starting %1</source>
        <translation>正在启动 %1</translation>
    </message>
    <message>
        <source>the lockstep-rank that LOCKSTEP_RANK names</source>
        <translation>LOCKSTEP_RANK 指定的 lockstep-rank</translation>
    </message>
    <message>
        <source>%1 tensors, each sent separately after backward</source>
        <translation>%1 个张量，在反向之后逐个发送</translation>
    </message>
    <message>
        <source>%1 buckets, sent during backward</source>
        <translation>%1 个桶，在反向过程中发送</translation>
    </message>
    <message>
        <source>the cost of measuring is unknown: the run had fewer than %1 steps</source>
        <translation>测量的开销未知：运行不足 %1 步</translation>
    </message>
    <message>
        <source>measuring: %1 ms per step with barriers, %2 ms without (medians of %3 and %4 steps): %5 %</source>
        <translation>测量：有屏障时每步 %1 ms，无屏障时 %2 ms（分别为 %3 步和 %4 步的中位数）：%5 %</translation>
    </message>
    <message>
        <source>the ranks averaged their weights every %1 steps</source>
        <translation>各 rank 每 %1 步对权重取平均</translation>
    </message>
    <message>
        <source>the ranks synchronized every %1 steps, outer learning rate %2, outer momentum %3</source>
        <translation>各 rank 每 %1 步同步一次，外层学习率 %2，外层动量 %3</translation>
    </message>
    <message>
        <source>%1 copies of the net, each with its part of the optimizer&apos;s state (ZeRO-1)</source>
        <translation>网络的 %1 份副本，各存一部分优化器状态（ZeRO-1）</translation>
    </message>
    <message>
        <source>%1 copies of the net</source>
        <translation>网络的 %1 份副本</translation>
    </message>
    <message>
        <source>%1, over %2</source>
        <translation>%1，后端 %2</translation>
    </message>
    <message>
        <source>by RPC (TensorPipe)</source>
        <translation>通过 RPC（TensorPipe）</translation>
    </message>
    <message>
        <source>pipeline of %1 stages, %2, %3 micro-batches</source>
        <translation>%1 个阶段的流水线，%2，%3 个微批次</translation>
    </message>
    <message>
        <source>%1, %2 parts per rank</source>
        <translation>%1，每个 rank %2 个部分</translation>
    </message>
    <message>
        <source>each layer shared by %1 ranks</source>
        <translation>每层由 %1 个 rank 分担</translation>
    </message>
    <message>
        <source>ZeRO-1: optimizer state in %1 parts</source>
        <translation>ZeRO-1：优化器状态分为 %1 份</translation>
    </message>
    <message>
        <source>ZeRO-2: optimizer state and gradients in %1 parts</source>
        <translation>ZeRO-2：优化器状态和梯度分为 %1 份</translation>
    </message>
    <message>
        <source>ZeRO-3: optimizer state, gradients and parameters in %1 parts</source>
        <translation>ZeRO-3：优化器状态、梯度和参数分为 %1 份</translation>
    </message>
    <message>
        <source>%1, the next layer&apos;s prefetched</source>
        <translation>%1，预取下一层的参数</translation>
    </message>
    <message>
        <source>%1 MB more do not fit; %2 of %3 MB are in use (%4)</source>
        <translation>再需 %1 MB，内存不足；已用 %2/%3 MB（%4）</translation>
    </message>
    <message>
        <source>%1 MB more do not fit; %2 of %3 MB are in use</source>
        <translation>再需 %1 MB，内存不足；已用 %2/%3 MB</translation>
    </message>
    <message>
        <source>the tensors took %1 MB of GPU memory, of %2 MB that are allowed (%3)</source>
        <translation>张量占用了 %1 MB GPU 内存，而允许的是 %2 MB（%3）</translation>
    </message>
    <message>
        <source>%1</source>
        <translation>%1</translation>
    </message>
    <message>
        <source>%1 has %2 columns, there are %3</source>
        <translation>%1 有 %2 列，应为 %3 列</translation>
    </message>
    <message>
        <source>%1 has %2 values, step has %3</source>
        <translation>%1 有 %2 个值，而 step 有 %3 个</translation>
    </message>
    <message>
        <source>%1 has %2 bytes, %3 are allowed</source>
        <translation>%1 有 %2 字节，最多允许 %3 字节</translation>
    </message>
    <message>
        <source>%1 has %2 values, there are %3 kinds of memory</source>
        <translation>%1 有 %2 个值，而内存种类有 %3 种</translation>
    </message>
    <message>
        <source>%1: %2 is negative</source>
        <translation>%1：%2 为负数</translation>
    </message>
    <message>
        <source>%1: %2 is not known</source>
        <translation>%1：未知的值 %2</translation>
    </message>
    <message>
        <source>%1 has a value that is not known</source>
        <translation>%1 含有未知的值</translation>
    </message>
    <message>
        <source>%1 has a negative value</source>
        <translation>%1 含有负值</translation>
    </message>
    <message>
        <source>%1 has a value that is not a rank</source>
        <translation>%1 含有不是 rank 编号的值</translation>
    </message>
    <message>
        <source>rank %1 of %2 cannot be</source>
        <translation>不可能有 rank %1（共 %2 个）</translation>
    </message>
    <message>
        <source>this rank was started as one of %1, the run takes %2</source>
        <translation>此 rank 是作为 %1 个 rank 之一启动的，而该运行需要 %2 个 rank</translation>
    </message>
    <message>
        <source>needs an NVIDIA driver, and this machine has none; install it so that nvidia-smi lists the GPU, or use device=cpu</source>
        <translation>需要 NVIDIA 驱动程序，而本机没有；请安装驱动程序，使 nvidia-smi 能列出 GPU，或使用 device=cpu</translation>
    </message>
    <message>
        <source>needs a driver for CUDA %1, and the one here is for CUDA %2; update the driver, or use device=cpu</source>
        <translation>需要支持 CUDA %1 的驱动程序，而本机的驱动程序只支持 CUDA %2；请更新驱动程序，或使用 device=cpu</translation>
    </message>
    <message>
        <source>does not exist: the driver finds no GPU (CUDA_VISIBLE_DEVICES can hide them); use device=cpu</source>
        <translation>不存在：驱动程序未找到 GPU（CUDA_VISIBLE_DEVICES 可能将其隐藏）；请使用 device=cpu</translation>
    </message>
    <message>
        <source>cannot be used: %1</source>
        <translation>无法使用：%1</translation>
    </message>
    <message>
        <source>the checkpoint does not say how long the steps before it took: this run&apos;s seconds are unknown</source>
        <translation>检查点没有记录之前各步所用的时间：本次运行的秒数未知</translation>
    </message>
    <message>
        <source>the learning-rate schedule of the first %1 steps was made for %2 steps; it is recomputed for %3, so that the rates differ from those of one run of %3 steps</source>
        <translation>前 %1 步的学习率调度按 %2 步计算；现在按 %3 步重新计算，因此学习率与一次完整的 %3 步运行不同</translation>
    </message>
    <message>
        <source>The user&apos;s own program</source>
        <translation>用户自己的程序</translation>
    </message>
    <message>
        <source>the driver does not report how much GPU memory is free</source>
        <translation>驱动没有给出空闲 GPU 内存的大小</translation>
    </message>
    <message>
        <source>%1; 1 run was not started</source>
        <translation>%1；另有 1 次运行未启动</translation>
    </message>
    <message>
        <source>%1; %2 runs were not started</source>
        <translation>%1；另有 %2 次运行未启动</translation>
    </message>
    <message>
        <source>%1: this process may open %2 files (%3)</source>
        <translation>%1：此进程最多可以打开 %2 个文件（%3）</translation>
    </message>
    <message>
        <source>%1: %2 processes and threads are allowed (%3)</source>
        <translation>%1：最多允许 %2 个进程和线程（%3）</translation>
    </message>
    <message>
        <source>run: needs one preset or spec file, for example: lockstep run optimizers; or a program of your own: lockstep run -n 2 -- python3 train.py</source>
        <translation>run：需要一个预设或实验文件，例如 lockstep run optimizers；或者自己的程序：lockstep run -n 2 -- python3 train.py</translation>
    </message>
    <message>
        <source>a thread could not be created: %1</source>
        <translation>无法创建线程：%1</translation>
    </message>
    <message>
        <source>it is not watched (rank.watch is off)</source>
        <translation>未监视它（rank.watch 为 off）</translation>
    </message>
    <message>
        <source>it cannot be watched: with %1 Python ignores PYTHONPATH</source>
        <translation>无法监视它：带 %1 时 Python 忽略 PYTHONPATH</translation>
    </message>
    <message>
        <source>the program sets MASTER_PORT itself, at which only one run at a time can meet</source>
        <translation>程序自己设置 MASTER_PORT，在该端口一次只能有一个运行会合</translation>
    </message>
    <message>
        <source>ranks of the program that are called by RPC have no steps at whose end they could hold</source>
        <translation>程序中由 RPC 调用的 rank 没有步，无法在步的末尾停住</translation>
    </message>
    <message>
        <source>Loss: %1, line %2. Step: %3, line %4.</source>
        <translation>损失：%1，第 %2 行。步：%3，第 %4 行。</translation>
    </message>
    <message>
        <source>Loss: %1, line %2. Step: not seen.</source>
        <translation>损失：%1，第 %2 行。步：未见。</translation>
    </message>
    <message>
        <source>Loss: not seen. Step: %1, line %2.</source>
        <translation>损失：未见。步：%1，第 %2 行。</translation>
    </message>
    <message>
        <source>Loss and step: not seen.</source>
        <translation>损失与步：未见。</translation>
    </message>
    <message>
        <source>%1 Not seen: %2.</source>
        <translation>%1未见：%2。</translation>
    </message>
    <message>
        <source>%1 after its last step, %2</source>
        <translation>%1，在最后一步（第 %2 步）之后</translation>
    </message>
    <message>
        <source>%1; its last line: %2</source>
        <translation>%1；其最后一行输出：%2</translation>
    </message>
    <message>
        <source>nothing was seen of it: %1</source>
        <translation>没有看到它的任何情况：%1</translation>
    </message>
    <message>
        <source>it did no training step</source>
        <translation>它没有进行任何训练步</translation>
    </message>
    <message>
        <source>none of its processes did a training step with PyTorch</source>
        <translation>它的进程都没有用 PyTorch 进行训练步</translation>
    </message>
    <message>
        <source>the queue&apos;s file was damaged; it is kept as %1</source>
        <translation>队列文件已损坏；原文件保留为 %1</translation>
    </message>
    <message>
        <source>%1. With measure.interleave=false the %2 runs follow each other and need less</source>
        <translation>%1。设置 measure.interleave=false 后，这 %2 次运行依次进行，所需资源更少</translation>
    </message>
    <message>
        <source>%1 ranks need about %2 open files; this process may have %3 (%4), and %5 are in use. Raise the limit</source>
        <translation>%1 个 rank 约需打开 %2 个文件；此进程最多可以打开 %3 个（%4），已使用 %5 个。请提高此限制</translation>
    </message>
    <message>
        <source>%1 ranks need about %2 processes and threads; %3 are allowed (%4), and %5 exist. Raise the limit</source>
        <translation>%1 个 rank 约需 %2 个进程和线程；最多允许 %3 个（%4），已有 %5 个。请提高此限制</translation>
    </message>
    <message>
        <source>%1 is in use: another workbench waits for its ranks there. Give another name</source>
        <translation>%1 正在使用：另一个工作台正通过它等待其 rank。请换一个名称</translation>
    </message>
    <message>
        <source>more than 4 MiB of output: the log continues with the last of it</source>
        <translation>输出超过 4 MiB：日志从其末尾部分继续</translation>
    </message>
    <message>
        <source>%1 lines are left out here</source>
        <translation>此处略去 %1 行</translation>
    </message>
    <message>
        <source>was lost: the program %1</source>
        <translation>已丢失：程序%1</translation>
    </message>
    <message>
        <source>the program %1</source>
        <translation>程序%1</translation>
    </message>
    <message>
        <source>all its steps were taken; then, while it was measured: %1</source>
        <translation>所有训练步都已完成；之后在测量期间：%1</translation>
    </message>
    <message>
        <source>other work uses this machine: the comparison of different numbers of ranks waits up to %1 s for it to end</source>
        <translation>本机有其他任务在运行：不同 rank 数的比较最多等待 %1 秒，直到其结束</translation>
    </message>
    <message>
        <source>the machine was still busy after %1 s: times of different numbers of ranks may mislead</source>
        <translation>%1 秒后本机仍然繁忙：不同 rank 数之间的时间比较可能失真</translation>
    </message>
    <message>
        <source>%1; it will not be noticed if the module %2 changes</source>
        <translation>%1；模块 %2 的改动不会被发现</translation>
    </message>
    <message>
        <source>run store: %1 was removed during the run</source>
        <translation>运行存储：%1 在运行期间被删除</translation>
    </message>
    <message>
        <source>run %1 cannot be read: %2</source>
        <translation>运行 %1 无法读取：%2</translation>
    </message>
    <message>
        <source>run store: %1 was damaged and is made again from the runs; it is kept as %2</source>
        <translation>运行存储：%1 已损坏，已根据各次运行重新生成；原文件保留为 %2</translation>
    </message>
    <message>
        <source>import: needs files of runs, bundles, or curves (event files, CSV, folders of them)</source>
        <translation>import：需要运行、运行包或曲线的文件（事件文件、CSV 或其文件夹）</translation>
    </message>
    <message>
        <source>lab check: needs one folder or file</source>
        <translation>lab check：需要一个文件夹或文件</translation>
    </message>
    <message>
        <source>only a hand-in has it</source>
        <translation>只有提交文件才有</translation>
    </message>
    <message>
        <source>lab: &quot;%1&quot; is not one of %2</source>
        <translation>lab：“%1”不是 %2 之一</translation>
    </message>
    <message>
        <source>%1 is no preset and no spec file that can be read: %2</source>
        <translation>%1 不是预设，也不是可读的规格文件：%2</translation>
    </message>
    <message>
        <source>lab new: needs one preset or spec file, such as: lockstep lab new optimizers</source>
        <translation>lab new：需要一个预设或规格文件，例如：lockstep lab new optimizers</translation>
    </message>
    <message>
        <source>lab hand-out: needs one folder</source>
        <translation>lab hand-out：需要一个文件夹</translation>
    </message>
    <message>
        <source>no work on %1 was begun in the store %2; lockstep lab list shows it</source>
        <translation>存储 %2 中没有开始 %1 的作业；lockstep lab list 列出已开始的作业</translation>
    </message>
    <message>
        <source>lab hand-in: needs the id of one laboratory; lockstep lab list shows them</source>
        <translation>lab hand-in：需要一个实验的标识符；lockstep lab list 列出它们</translation>
    </message>
    <message>
        <source>it is not a zip archive, or was cut short: %1</source>
        <translation>它不是 zip 压缩文件，或者不完整：%1</translation>
    </message>
    <message>
        <source>the table is cut short: the complete lines were imported</source>
        <translation>表格不完整：已导入完整的行</translation>
    </message>
    <message>
        <source>%1: what came before was imported</source>
        <translation>%1：已导入其之前的内容</translation>
    </message>
    <message>
        <source>%1 of %2 points were left out: a later one has the same step</source>
        <translation>%2 个点中有 %1 个未导入：同一步有更晚的点</translation>
    </message>
    <message>
        <source>%1 holds no curves: no CSV or TSV, also .gz, and no TensorBoard event file</source>
        <translation>%1 中没有曲线：没有 CSV、TSV（含 .gz），也没有 TensorBoard 事件文件</translation>
    </message>
    <message>
        <source>%1 has more than %2 files of curves</source>
        <translation>%1 中的曲线文件超过 %2 个</translation>
    </message>
    <message>
        <source>cannot be unpacked</source>
        <translation>无法解压</translation>
    </message>
    <message>
        <source>the experiment has no variant &quot;%1&quot;</source>
        <translation>实验没有变体“%1”</translation>
    </message>
    <message>
        <source>choose a figure</source>
        <translation>请选择指标</translation>
    </message>
    <message>
        <source>the text has more than %1 bytes</source>
        <translation>文本超过 %1 字节</translation>
    </message>
    <message>
        <source>choose a parameter that is a number</source>
        <translation>请选择数值参数</translation>
    </message>
    <message>
        <source>choose two variants</source>
        <translation>请选择两个变体</translation>
    </message>
    <message>
        <source>the amount must be at least 0 %, and below 100 % of a claim that it is less</source>
        <translation>幅度不得小于 0 %；若论断为更低，须小于 100 %</translation>
    </message>
    <message>
        <source>an integer, at least %1</source>
        <translation>不小于 %1 的整数</translation>
    </message>
    <message>
        <source>an id: lower-case letters, digits and -</source>
        <translation>标识符：小写字母、数字和 -</translation>
    </message>
    <message>
        <source>a text</source>
        <translation>文本</translation>
    </message>
    <message>
        <source>a text in each language: {&quot;en&quot;: &quot;...&quot;, &quot;zh&quot;: &quot;...&quot;}</source>
        <translation>各语言的文本：{&quot;en&quot;: &quot;...&quot;, &quot;zh&quot;: &quot;...&quot;}</translation>
    </message>
    <message>
        <source>a text, or one in each language: {&quot;en&quot;: &quot;...&quot;, &quot;zh&quot;: &quot;...&quot;}</source>
        <translation>文本，或各语言的文本：{&quot;en&quot;: &quot;...&quot;, &quot;zh&quot;: &quot;...&quot;}</translation>
    </message>
    <message>
        <source>a list of texts</source>
        <translation>文本列表</translation>
    </message>
    <message>
        <source>a JSON object</source>
        <translation>JSON 对象</translation>
    </message>
    <message>
        <source>a list of objects</source>
        <translation>对象列表</translation>
    </message>
    <message>
        <source>an object with the ids of steps as names</source>
        <translation>以步骤标识符为名的对象</translation>
    </message>
    <message>
        <source>a number, a text or a list of texts</source>
        <translation>数、文本或文本列表</translation>
    </message>
    <message>
        <source>there is no field %1; allowed: %2</source>
        <translation>没有字段 %1；允许：%2</translation>
    </message>
    <message>
        <source>there is no field %1; did you mean %2?</source>
        <translation>没有字段 %1；是否指 %2？</translation>
    </message>
    <message>
        <source>it is not a JSON object</source>
        <translation>它不是 JSON 对象</translation>
    </message>
    <message>
        <source>the field %1 is missing</source>
        <translation>缺少字段 %1</translation>
    </message>
    <message>
        <source>the formula %1 cannot be read at place %2</source>
        <translation>公式 %1 在第 %2 个字符处无法读取</translation>
    </message>
    <message>
        <source>the formula has %1, which is no number of this experiment</source>
        <translation>公式中的 %1 不是该实验的数值</translation>
    </message>
    <message>
        <source>version %1 is of a later Lockstep; this program reads %2</source>
        <translation>版本 %1 属于较新的 Lockstep；本程序读取 %2</translation>
    </message>
    <message>
        <source>there is no version %1; it is %2</source>
        <translation>没有版本 %1；应为 %2</translation>
    </message>
    <message>
        <source>its spec: %1</source>
        <translation>其实验规格：%1</translation>
    </message>
    <message>
        <source>there is no preset %1; allowed: %2</source>
        <translation>没有预设 %1；允许：%2</translation>
    </message>
    <message>
        <source>its kind is not one of %1</source>
        <translation>其类型不是 %1 之一</translation>
    </message>
    <message>
        <source>its file %1 has no place in a laboratory; allowed: laboratory.json, texts/STEP.en.md, texts/STEP.zh.md, pictures/*.png, pictures/*.svg, code/*.py</source>
        <translation>其中的文件 %1 不属于实验；允许：laboratory.json、texts/STEP.en.md、texts/STEP.zh.md、pictures/*.png、pictures/*.svg、code/*.py</translation>
    </message>
    <message>
        <source>its file %1 has more than the %2 bytes allowed</source>
        <translation>其中的文件 %1 超过允许的 %2 字节</translation>
    </message>
    <message>
        <source>its file %1 cannot be read: %2</source>
        <translation>无法读取其中的文件 %1：%2</translation>
    </message>
    <message>
        <source>it has more than %1 files or %2 MB; a laboratory is smaller</source>
        <translation>它超过 %1 个文件或 %2 MB；实验没有这么大</translation>
    </message>
    <message>
        <source>it is a hand-in, not a laboratory</source>
        <translation>它是提交文件，不是实验</translation>
    </message>
    <message>
        <source>it is a bundle of runs, not a laboratory; open it by lockstep import</source>
        <translation>它是运行包，不是实验；请用 lockstep import 打开</translation>
    </message>
    <message>
        <source>it has its key, %1, which students must not get; lockstep lab hand-out writes it without the key</source>
        <translation>其中有答案文件 %1，不能给学生；lockstep lab hand-out 会写出不含答案的文件</translation>
    </message>
    <message>
        <source>it is the key of a laboratory, not the laboratory itself</source>
        <translation>它是实验的答案文件，不是实验本身</translation>
    </message>
    <message>
        <source>it is one file of a laboratory; open its folder</source>
        <translation>它是实验中的一个文件；请打开其文件夹</translation>
    </message>
    <message>
        <source>it is not a laboratory: neither a .lab file nor a folder with laboratory.json</source>
        <translation>它不是实验：既不是 .lab 文件，也不是含 laboratory.json 的文件夹</translation>
    </message>
    <message>
        <source>there is no such file</source>
        <translation>没有这个文件</translation>
    </message>
    <message>
        <source>it needs at least one step</source>
        <translation>至少需要一个步骤</translation>
    </message>
    <message>
        <source>another step has this id</source>
        <translation>另一步骤已有此标识符</translation>
    </message>
    <message>
        <source>%1 is not a file in its folder code</source>
        <translation>%1 不是其 code 文件夹中的文件</translation>
    </message>
    <message>
        <source>%1 is not an experiment step</source>
        <translation>%1 不是实验步骤</translation>
    </message>
    <message>
        <source>it sets %1; a laboratory may not set programs, paths and interfaces</source>
        <translation>它设置了 %1；实验不得设置程序、路径和网络接口</translation>
    </message>
    <message>
        <source>it sets %1; only a step that hides fault. may set faults</source>
        <translation>它设置了 %1；只有隐藏 fault. 的步骤才能设置故障</translation>
    </message>
    <message>
        <source>%1 is no parameter; `lockstep parameters` lists them all</source>
        <translation>%1 不是参数；`lockstep parameters` 列出全部参数</translation>
    </message>
    <message>
        <source>%1 may not be free: it names programs, paths or interfaces</source>
        <translation>%1 不能开放：它指定程序、路径或网络接口</translation>
    </message>
    <message>
        <source>%1 may not be free: it is made of the student&apos;s number</source>
        <translation>%1 不能开放：它由学号生成</translation>
    </message>
    <message>
        <source>%1 may not be free: the variants set it</source>
        <translation>%1 不能开放：变体设置了它</translation>
    </message>
    <message>
        <source>%1 is no parameter and no beginning of one, such as fault.</source>
        <translation>%1 不是参数，也不是参数的开头（如 fault.）</translation>
    </message>
    <message>
        <source>it needs a question about this step: hidden settings are shown once that is sealed</source>
        <translation>需要一个关于此步骤的问题：封存后才显示隐藏的设置</translation>
    </message>
    <message>
        <source>it needs an experiment, or a preset</source>
        <translation>需要 experiment 或 preset</translation>
    </message>
    <message>
        <source>it cannot run: %1</source>
        <translation>无法运行：%1</translation>
    </message>
    <message>
        <source>there is no figure %1; did you mean %2?</source>
        <translation>没有指标 %1；是否指 %2？</translation>
    </message>
    <message>
        <source>%1 differs from machine to machine; predict its ratio to another variant: name that in against</source>
        <translation>%1 因机器而异；请预测它与另一变体之比，在 against 中指定</translation>
    </message>
    <message>
        <source>it is missing: the other variant</source>
        <translation>缺少：另一个变体</translation>
    </message>
    <message>
        <source>shares are compared by their difference in points, all other figures by their ratio</source>
        <translation>占比按百分点之差比较，其他指标按比值比较</translation>
    </message>
    <message>
        <source>the experiment has no variant &quot;%1&quot;; it has: %2</source>
        <translation>实验没有变体“%1”；它有：%2</translation>
    </message>
    <message>
        <source>the variant &quot;%1&quot; is switched off</source>
        <translation>变体“%1”已关闭</translation>
    </message>
    <message>
        <source>it is the variant itself</source>
        <translation>它就是该变体本身</translation>
    </message>
    <message>
        <source>an order needs at least two variants, each once</source>
        <translation>次序至少需要两个变体，各一次</translation>
    </message>
    <message>
        <source>a prediction of the form %1 has none</source>
        <translation>%1 形式的预测没有此字段</translation>
    </message>
    <message>
        <source>a prediction stands before its experiment, %1</source>
        <translation>预测必须在其实验 %1 之前</translation>
    </message>
    <message>
        <source>two choices have the id %1</source>
        <translation>两个选项有相同的标识符 %1</translation>
    </message>
    <message>
        <source>it needs at least two choices</source>
        <translation>至少需要两个选项</translation>
    </message>
    <message>
        <source>only the forms choice and order have choices</source>
        <translation>只有 choice 和 order 形式有选项</translation>
    </message>
    <message>
        <source>it has HTML, %1; only Markdown is shown</source>
        <translation>其中有 HTML（%1）；只显示 Markdown</translation>
    </message>
    <message>
        <source>the picture %1 is not in its folder pictures</source>
        <translation>图片 %1 不在其 pictures 文件夹中</translation>
    </message>
    <message>
        <source>it is missing or empty; one language must be complete (%1 missing)</source>
        <translation>它缺失或为空；必须有一种语言是完整的（缺 %1 项）</translation>
    </message>
    <message>
        <source>it is missing or empty: readers of this language get the other one</source>
        <translation>它缺失或为空：该语言的读者将看到另一种语言</translation>
    </message>
    <message>
        <source>it has HTML, %1; only plain text is shown</source>
        <translation>其中有 HTML（%1）；只显示纯文本</translation>
    </message>
    <message>
        <source>no step has this text</source>
        <translation>没有步骤使用此文本</translation>
    </message>
    <message>
        <source>%1 already exists; name a new folder</source>
        <translation>%1 已存在；请另起文件夹名</translation>
    </message>
    <message>
        <source>%1 has more than %2 bytes; it is no journal</source>
        <translation>%1 超过 %2 字节，不是记录</translation>
    </message>
    <message>
        <source>%1 is open in another window of Lockstep; close that first</source>
        <translation>%1 已在另一个 Lockstep 窗口中打开；请先关闭</translation>
    </message>
    <message>
        <source>entry %1 of the journal was changed</source>
        <translation>记录的第 %1 项被更改</translation>
    </message>
    <message>
        <source>entry %1 of the journal does not follow the one before: entries were removed or moved</source>
        <translation>记录的第 %1 项与前一项不衔接：有条目被删除或移动</translation>
    </message>
    <message>
        <source>the sealed entry %1 of the journal is missing: entries were removed or changed</source>
        <translation>记录中缺少已封存的第 %1 项：有条目被删除或更改</translation>
    </message>
    <message>
        <source>the laboratory has locked it; free: %1</source>
        <translation>实验锁定了它；可更改：%1</translation>
    </message>
    <message>
        <source>enter your number first: the seed of these runs is made of it</source>
        <translation>请先输入学号：这些运行的随机种子由它生成</translation>
    </message>
    <message>
        <source>the answer %1 is no choice of the question</source>
        <translation>答案 %1 不是该题的选项</translation>
    </message>
    <message>
        <source>the answer is not all choices of the question, each once</source>
        <translation>答案必须包含该题的全部选项，各一次</translation>
    </message>
    <message>
        <source>it is a laboratory, not a key</source>
        <translation>它是实验，不是答案文件</translation>
    </message>
    <message>
        <source>it is not JSON</source>
        <translation>它不是 JSON</translation>
    </message>
    <message>
        <source>the key is of %1, revision %2; the laboratory is %3, revision %4</source>
        <translation>答案文件属于 %1 修订 %2；实验是 %3 修订 %4</translation>
    </message>
    <message>
        <source>the laboratory has no such step</source>
        <translation>实验没有这一步</translation>
    </message>
    <message>
        <source>only a question has an answer</source>
        <translation>只有问题才有答案</translation>
    </message>
    <message>
        <source>put all %1 variants in order, each once</source>
        <translation>请排列全部 %1 个变体，各一次</translation>
    </message>
    <message>
        <source>enter a number and the two ends of its range</source>
        <translation>请输入一个数及其范围的两端</translation>
    </message>
    <message>
        <source>draw the curve from left to right</source>
        <translation>请从左到右画曲线</translation>
    </message>
    <message>
        <source>%1 is not a prediction of this form</source>
        <translation>%1 不是这种形式的预测</translation>
    </message>
    <message>
        <source>it is not a hand-in</source>
        <translation>它不是提交文件</translation>
    </message>
    <message>
        <source>its file %1 has no place in a hand-in</source>
        <translation>其中的文件 %1 不属于提交文件</translation>
    </message>
    <message>
        <source>it is a hand-in of version %1, from a later version of Lockstep; this program reads %2</source>
        <translation>它是较新版本 Lockstep 的提交文件（版本 %1）；本程序读取版本 %2</translation>
    </message>
    <message>
        <source>its laboratory</source>
        <translation>其中的实验</translation>
    </message>
    <message>
        <source>it is a hand-in of %1, not of %2</source>
        <translation>它是 %1 的提交文件，不是 %2 的</translation>
    </message>
    <message>
        <source>its journal is not of its laboratory, %1</source>
        <translation>其中的记录不属于其实验 %1</translation>
    </message>
    <message>
        <source>%1 cannot be opened</source>
        <translation>无法打开 %1</translation>
    </message>
    <message>
        <source>it has no %1</source>
        <translation>其中没有 %1</translation>
    </message>
    <message>
        <source>it is a laboratory of version %1, from a later version of Lockstep; this program reads %2</source>
        <translation>它是较新版本 Lockstep 的实验（版本 %1）；本程序读取版本 %2</translation>
    </message>
    <message>
        <source>the key has no answer and no rubric of this question</source>
        <translation>答案文件没有该题的答案和评分标准</translation>
    </message>
    <message>
        <source>%1 does not end in .lab</source>
        <translation>%1 不以 .lab 结尾</translation>
    </message>
    <message>
        <source>%1 cannot be handed out</source>
        <translation>无法发放 %1</translation>
    </message>
    <message>
        <source>the laboratory %1 has no step %2</source>
        <translation>实验 %1 没有步骤 %2</translation>
    </message>
    <message>
        <source>enter one to four names with their numbers</source>
        <translation>请输入一到四人的姓名和学号</translation>
    </message>
    <message>
        <source>%1 is not a question</source>
        <translation>%1 不是问题</translation>
    </message>
    <message>
        <source>it is sealed; add a comment instead</source>
        <translation>它已封存；请添加评论</translation>
    </message>
    <message>
        <source>%1 has no answer yet</source>
        <translation>%1 还没有答案</translation>
    </message>
    <message>
        <source>%1 is not a prediction</source>
        <translation>%1 不是预测</translation>
    </message>
    <message>
        <source>its experiment has run already: there is nothing to predict</source>
        <translation>其实验已经运行，无从预测</translation>
    </message>
    <message>
        <source>%1 is not sealed yet</source>
        <translation>%1 尚未封存</translation>
    </message>
    <message>
        <source>predict first: %1</source>
        <translation>请先预测：%1</translation>
    </message>
    <message>
        <source>%1 is not a step of claims</source>
        <translation>%1 不是论断步骤</translation>
    </message>
    <message>
        <source>%1 has no such claim</source>
        <translation>%1 没有这条论断</translation>
    </message>
    <message>
        <source>%1 is not a step to read</source>
        <translation>%1 不是阅读步骤</translation>
    </message>
    <message>
        <source>%1=%2 in the environment keeps a library below what this processor can do: unset it for faster training.</source>
        <translation>环境变量 %1=%2 使某个库未用上处理器的全部指令：取消该变量可加快训练。</translation>
    </message>
    <message>
        <source>%1 cannot be imported: it is no bundle, run or recording, no CSV or TSV, no TensorBoard event file</source>
        <translation>无法导入 %1：不是运行包、运行、记录，也不是 CSV、TSV 或 TensorBoard 事件文件</translation>
    </message>
    <message>
        <source>“%1” leaves the page</source>
        <translation>“%1”超出页面</translation>
    </message>
    <message>
        <source>“%1” overlaps “%2”</source>
        <translation>“%1”与“%2”重叠</translation>
    </message>
    <message>
        <source>“%1” covers the plot</source>
        <translation>“%1”遮住了图</translation>
    </message>
    <message>
        <source>%1 panels in a row instead of %2: they would be narrower than 40 mm</source>
        <translation>每行 %1 幅子图而不是 %2 幅：否则宽度不足 40 mm</translation>
    </message>
    <message>
        <source>letters are below 5 pt</source>
        <translation>字号小于 5 pt</translation>
    </message>
    <message>
        <source>the plot (%1) has less than 40 % of its place</source>
        <translation>子图（%1）的绘图区不足其版面的 40%</translation>
    </message>
    <message>
        <source>an axis of the plot (%1) has fewer than three distinct labels</source>
        <translation>子图（%1）的坐标轴上不同的刻度不足三个</translation>
    </message>
    <message>
        <source>letters of 5 pt: smaller ones cannot be read in print</source>
        <translation>字号改为 5 pt：更小的字印刷后无法阅读</translation>
    </message>
    <message>
        <source>a height of %1 mm instead of %2 mm, so that the plot keeps its place</source>
        <translation>高度由 %2 mm 改为 %1 mm，以保证绘图区的大小</translation>
    </message>
    <message>
        <source>the formula %1 has no value here</source>
        <translation>公式 %1 在此没有有限值</translation>
    </message>
    <message>
        <source>needs a time such as 2026-11-30T23:59</source>
        <translation>需要时间，如 2026-11-30T23:59</translation>
    </message>
    <message>
        <source>grade: needs one folder or zip archive of hand-ins</source>
        <translation>grade：需要一个含有提交的文件夹或 zip 压缩包</translation>
    </message>
    <message>
        <source>this build draws no PDF; use html</source>
        <translation>此版本不能生成 PDF；请用 html</translation>
    </message>
    <message>
        <source>%1 and %2: %3</source>
        <translation>%1 与 %2：%3</translation>
    </message>
    <message>
        <source>the laboratory %1 has no code that is checked</source>
        <translation>实验 %1 没有需要检查的代码</translation>
    </message>
    <message>
        <source>name one of the code steps of %1: %2</source>
        <translation>请指定 %1 的一个编程步骤：%2</translation>
    </message>
    <message>
        <source>lab try: needs one file, and its laboratory in --lab</source>
        <translation>lab try：需要一个文件，并用 --lab 指定实验</translation>
    </message>
    <message>
        <source>--rank: %1 does not answer --help as lockstep-rank does</source>
        <translation>--rank：%1 对 --help 的输出不是 lockstep-rank 的</translation>
    </message>
    <message>
        <source>completion: needs one of %1</source>
        <translation>completion：需要以下之一：%1</translation>
    </message>
    <message>
        <source>at most %1</source>
        <translation>至多 %1</translation>
    </message>
    <message>
        <source>the sum is divided by the number of ranks: a mean was not asked</source>
        <translation>和被除以了 rank 数：这里要求的不是平均值</translation>
    </message>
    <message>
        <source>the tensor is not changed: write the sum into it, with copy_ or +=</source>
        <translation>张量没有改变：请用 copy_ 或 += 把和写入张量</translation>
    </message>
    <message>
        <source>the last elements are left out where the size is no multiple of the number of ranks</source>
        <translation>元素个数不是 rank 数的倍数时，漏掉了末尾的元素</translation>
    </message>
    <message>
        <source>each piece is one rank&apos;s own: it is not added to, or the second circle begins with the rank&apos;s own piece</source>
        <translation>每一块只是某个 rank 自己的值：没有累加，或第二圈从自己那一块开始</translation>
    </message>
    <message>
        <source>the second circle adds to pieces instead of replacing them</source>
        <translation>第二圈应当替换各块，却累加了它们</translation>
    </message>
    <message>
        <source>the first circle has a step too few: it needs n − 1</source>
        <translation>第一圈少了一步：需要 n − 1 步</translation>
    </message>
    <message>
        <source>the second circle has a step too few: it needs n − 1</source>
        <translation>第二圈少了一步：需要 n − 1 步</translation>
    </message>
    <message>
        <source>the second circle is missing: each rank has one complete piece</source>
        <translation>缺少第二圈：每个 rank 只有一块是完整的</translation>
    </message>
    <message>
        <source>each rank passes on its running total: values are counted more than once</source>
        <translation>每个 rank 传递的是累计和：有的值被重复计入</translation>
    </message>
    <message>
        <source>the rank&apos;s own values are missing from the sum</source>
        <translation>和中缺少本 rank 自己的值</translation>
    </message>
    <message>
        <source>the rank&apos;s own values are counted twice</source>
        <translation>本 rank 自己的值被计入两次</translation>
    </message>
    <message>
        <source>only one neighbour&apos;s values are added</source>
        <translation>只加上了一个相邻 rank 的值</translation>
    </message>
    <message>
        <source>%1 is a collective: use send, recv, isend and irecv alone</source>
        <translation>%1 是集合通信：只能使用 send、recv、isend 和 irecv</translation>
    </message>
    <message>
        <source>a collective does what the step asks to write</source>
        <translation>直接用集合通信代替了要编写的内容</translation>
    </message>
    <message>
        <source>the sum is returned, but not written into the tensor</source>
        <translation>返回了和，但没有写入张量</translation>
    </message>
    <message>
        <source>only one rank has the sum: the others must receive it</source>
        <translation>只有一个 rank 得到了和：还要发送给其他 rank</translation>
    </message>
    <message>
        <source>rank %1 of %2 sends or receives %3 bytes: no sum of %4 bytes can come from that</source>
        <translation>rank %1（共 %2 个）只收发了 %3 字节，不足以得到 %4 字节的和</translation>
    </message>
    <message>
        <source>rank %1 of %2 sends %3 bytes; the ring sends at most %4</source>
        <translation>rank %1（共 %2 个）发送了 %3 字节；环形算法最多发送 %4 字节</translation>
    </message>
    <message>
        <source>the whole tensor goes around: send one piece per step</source>
        <translation>整个张量在环上传递：每步应只发送一块</translation>
    </message>
    <message>
        <source>a rank sends more pieces than needed: each circle has n − 1 steps</source>
        <translation>一个 rank 发送的块数过多：每圈只需 n − 1 步</translation>
    </message>
    <message>
        <source>rank %1 sends to rank %2, not to a neighbour</source>
        <translation>rank %1 向 rank %2 发送，而它不是相邻的 rank</translation>
    </message>
    <message>
        <source>in a ring each rank sends to its neighbour alone</source>
        <translation>在环中，每个 rank 只向相邻的 rank 发送</translation>
    </message>
    <message>
        <source>the sum is not divided by the number of ranks</source>
        <translation>和没有除以 rank 数</translation>
    </message>
    <message>
        <source>the sum is divided by the number of ranks twice</source>
        <translation>和被除以了两次 rank 数</translation>
    </message>
    <message>
        <source>the gradients are not changed: write the mean into param.grad</source>
        <translation>梯度没有改变：请把平均值写入 param.grad</translation>
    </message>
    <message>
        <source>each rank divides its own gradient: nothing is summed</source>
        <translation>每个 rank 只除了自己的梯度：没有求和</translation>
    </message>
    <message>
        <source>// rounds the mean down: divide with /</source>
        <translation>// 会把平均值向下取整：请用 / 做除法</translation>
    </message>
    <message>
        <source>the sum is divided by the number of the other ranks</source>
        <translation>和被除以了其他 rank 的个数</translation>
    </message>
    <message>
        <source>the sum is divided by the number of parameters</source>
        <translation>和被除以了参数的个数</translation>
    </message>
    <message>
        <source>the rank&apos;s own gradient is counted twice</source>
        <translation>本 rank 自己的梯度被计入两次</translation>
    </message>
    <message>
        <source>the rank&apos;s own gradient is missing from the sum</source>
        <translation>和中缺少本 rank 自己的梯度</translation>
    </message>
    <message>
        <source>the mean is added to the rank&apos;s own gradient</source>
        <translation>平均值被加到了本 rank 自己的梯度上</translation>
    </message>
    <message>
        <source>only the first parameter&apos;s gradient is averaged</source>
        <translation>只平均了第一个参数的梯度</translation>
    </message>
    <message>
        <source>every rank has the gradient of rank 0: it is sent, but not averaged</source>
        <translation>每个 rank 都是 rank 0 的梯度：只发送了，没有平均</translation>
    </message>
    <message>
        <source>every rank has the gradient of rank 0, divided by the number of ranks</source>
        <translation>每个 rank 都是 rank 0 的梯度除以 rank 数</translation>
    </message>
    <message>
        <source>the list for all_gather has one tensor n times: the last rank&apos;s stays</source>
        <translation>all_gather 的列表中是同一个张量的 n 次引用：只留下最后一个 rank 的梯度</translation>
    </message>
    <message>
        <source>%1, rank %2 of %3</source>
        <translation>%1，rank %2（共 %3 个）</translation>
    </message>
    <message>
        <source>only one rank has the mean: broadcast it to the others</source>
        <translation>只有一个 rank 得到了平均值：还要广播给其他 rank</translation>
    </message>
    <message>
        <source>%1 uses %2: use collectives alone</source>
        <translation>%1 使用了 %2：只能使用集合通信</translation>
    </message>
    <message>
        <source>%1 does not use all_reduce</source>
        <translation>%1 没有使用 all_reduce</translation>
    </message>
    <message>
        <source>%1 uses all_reduce: another collective is asked</source>
        <translation>%1 使用了 all_reduce：这里要求用其他集合通信</translation>
    </message>
    <message>
        <source>both functions use the same collective</source>
        <translation>两个函数使用了相同的集合通信</translation>
    </message>
    <message>
        <source>%1 uses no collective</source>
        <translation>%1 没有使用集合通信</translation>
    </message>
    <message>
        <source>the records of the check are damaged or too large</source>
        <translation>检查的记录已损坏或过大</translation>
    </message>
    <message>
        <source>%1 on rank %2 of %3</source>
        <translation>rank %2（共 %3 个）上的 %1</translation>
    </message>
    <message>
        <source>rank %1 of %2 has no parameters with rows %3 to %4 of the weight and of the bias</source>
        <translation>rank %1（共 %2 个）没有保存权重和偏置的第 %3 到 %4 行作为参数</translation>
    </message>
    <message>
        <source>every rank keeps the whole weight: nothing is divided</source>
        <translation>每个 rank 都保存了完整的权重：没有切分</translation>
    </message>
    <message>
        <source>the weight is split by inputs: that is the row-parallel layer</source>
        <translation>权重按输入切分：那是按行切分的层</translation>
    </message>
    <message>
        <source>every rank keeps the whole bias: it needs the part of its outputs</source>
        <translation>每个 rank 都保存了完整的偏置：应只保存自己输出的那部分</translation>
    </message>
    <message>
        <source>the bias is not added</source>
        <translation>没有加上偏置</translation>
    </message>
    <message>
        <source>every rank adds the bias: it is in the sum n times</source>
        <translation>每个 rank 都加了偏置：和中包含 n 次偏置</translation>
    </message>
    <message>
        <source>y has this rank&apos;s columns alone, or a sum of them: gather them along the last dimension</source>
        <translation>y 只有本 rank 的列，或是各列之和：应沿最后一维收集</translation>
    </message>
    <message>
        <source>rank %1 of %2 exchanges nothing with the others: y needs their columns</source>
        <translation>rank %1（共 %2 个）没有与其他 rank 通信：y 需要它们的列</translation>
    </message>
    <message>
        <source>the weight on rank %1 of %2 gets no gradient</source>
        <translation>rank %1（共 %2 个）上的权重没有梯度</translation>
    </message>
    <message>
        <source>the backward of the gather sums equal gradients of all ranks: it must take a part</source>
        <translation>收集的反向传播把各 rank 相同的梯度相加了：应只取其中一部分</translation>
    </message>
    <message>
        <source>x gets no gradient on rank %1 of %2</source>
        <translation>rank %1（共 %2 个）上的 x 没有梯度</translation>
    </message>
    <message>
        <source>x.grad comes from this rank&apos;s columns alone: all-reduce it in the backward</source>
        <translation>x.grad 只来自本 rank 的列：反向传播中应对它做 all-reduce</translation>
    </message>
    <message>
        <source>x.grad is averaged over the ranks: it must be summed</source>
        <translation>x.grad 是各 rank 的平均值：应当求和</translation>
    </message>
    <message>
        <source>the RRef of parameter %1 belongs to rank 0</source>
        <translation>第 %1 个参数的 RRef 属于 rank 0</translation>
    </message>
    <message>
        <source>the parameters are copied to rank 0 first: make their RRefs on the rank that has them</source>
        <translation>参数先被复制到了 rank 0：应在拥有参数的 rank 上创建 RRef</translation>
    </message>
    <message>
        <source>parameter %1 is on rank 0: the second half is not on rank 1</source>
        <translation>第 %1 个参数在 rank 0 上：后一半不在 rank 1 上</translation>
    </message>
    <message>
        <source>the second half is made on rank 0: make it with rpc.remote</source>
        <translation>后一半是在 rank 0 上创建的：请用 rpc.remote 创建</translation>
    </message>
    <message>
        <source>no module on rank 1 has parameter %1 of the list</source>
        <translation>rank 1 上没有模块拥有列表中的第 %1 个参数</translation>
    </message>
    <message>
        <source>the first half is not on rank 0</source>
        <translation>前一半不在 rank 0 上</translation>
    </message>
    <message>
        <source>the second half&apos;s parameters are missing</source>
        <translation>缺少后一半的参数</translation>
    </message>
    <message>
        <source>the first half&apos;s parameters are missing</source>
        <translation>缺少前一半的参数</translation>
    </message>
    <message>
        <source>no layer runs on rank 1</source>
        <translation>没有任何层在 rank 1 上运行</translation>
    </message>
    <message>
        <source>the second half is copied to rank 0 and runs there: call it through its RRef</source>
        <translation>后一半被复制到 rank 0 并在那里运行：应通过 RRef 调用</translation>
    </message>
    <message>
        <source>output of batch %1</source>
        <translation>第 %1 个批次的输出</translation>
    </message>
    <message>
        <source>the ReLU of the first half is missing</source>
        <translation>前一半缺少 ReLU</translation>
    </message>
    <message>
        <source>the ReLU of the second half is missing</source>
        <translation>后一半缺少 ReLU</translation>
    </message>
    <message>
        <source>the second half is made anew in a later call: keep one RRef to it</source>
        <translation>后一半在之后的调用中被重新创建：应保存同一个 RRef</translation>
    </message>
    <message>
        <source>parameter %1 after step %2</source>
        <translation>第 %2 步后的第 %1 个参数</translation>
    </message>
    <message>
        <source>no parameter changes: the output has no distributed autograd history</source>
        <translation>参数都没有变化：输出没有分布式 autograd 的记录</translation>
    </message>
    <message>
        <source>the first half gets no gradient: its output is detached before it is sent</source>
        <translation>前一半没有梯度：它的输出在发送前被 detach</translation>
    </message>
    <message>
        <source>the second half gets no gradient: its parameters are not part of the graph</source>
        <translation>后一半没有梯度：它的参数不在计算图中</translation>
    </message>
    <message>
        <source>%1 has only these forms: %2</source>
        <translation>%1 只有这些形式：%2</translation>
    </message>
    <message>
        <source>the class inherits %1: write the update yourself</source>
        <translation>这个类继承了 %1：请自己编写更新</translation>
    </message>
    <message>
        <source>zero_grad leaves gradients behind</source>
        <translation>zero_grad 之后仍有梯度</translation>
    </message>
    <message>
        <source>step %1: element %2 of parameter %3 changes by %4 instead of %5</source>
        <translation>第 %1 步：参数 %3 的第 %2 个元素的变化是 %4，应为 %5</translation>
    </message>
    <message>
        <source>the step asks for another form; this is %1</source>
        <translation>本步骤要求另一种形式；这是%1</translation>
    </message>
    <message>
        <source>%1 samples, %2 ranks</source>
        <translation>%1 个样本，%2 个 rank</translation>
    </message>
    <message>
        <source>__iter__ of rank %1 does not end</source>
        <translation>rank %1 的 __iter__ 不会结束</translation>
    </message>
    <message>
        <source>__len__ is of all samples, not of the rank&apos;s share</source>
        <translation>__len__ 是全部样本数，而不是本 rank 的样本数</translation>
    </message>
    <message>
        <source>__len__ of rank %1 gives %2, but __iter__ gives %3 indices</source>
        <translation>rank %1 的 __len__ 是 %2，但 __iter__ 给出 %3 个索引</translation>
    </message>
    <message>
        <source>rank %1 gives index %2: indices are 0 to %3</source>
        <translation>rank %1 给出索引 %2：索引应在 0 到 %3 之间</translation>
    </message>
    <message>
        <source>the indices begin with 1</source>
        <translation>索引从 1 开始</translation>
    </message>
    <message>
        <source>rank %1 gives index %2 twice in one epoch</source>
        <translation>rank %1 在一轮中两次给出索引 %2</translation>
    </message>
    <message>
        <source>indices are drawn with replacement</source>
        <translation>索引是有放回抽取的</translation>
    </message>
    <message>
        <source>index %1 is given by rank %2 and by rank %3</source>
        <translation>rank %2 和 rank %3 都给出了索引 %1</translation>
    </message>
    <message>
        <source>every rank gives all samples: take a share of them</source>
        <translation>每个 rank 都给出了全部样本：应只取其中一份</translation>
    </message>
    <message>
        <source>samples are repeated until all shares are equal</source>
        <translation>为使各份相等，重复了一些样本</translation>
    </message>
    <message>
        <source>the seed of the permutation depends on the rank</source>
        <translation>排列的种子随 rank 而不同</translation>
    </message>
    <message>
        <source>the samples that are left after equal shares are dropped</source>
        <translation>等分后剩下的样本被丢弃</translation>
    </message>
    <message>
        <source>index %1 is given by no rank</source>
        <translation>没有 rank 给出索引 %1</translation>
    </message>
    <message>
        <source>the last rank gets all that is left: give one to each rank</source>
        <translation>最后一个 rank 得到全部剩余样本：应给每个 rank 各分一个</translation>
    </message>
    <message>
        <source>rank %1 has %2 samples and rank %3 has %4</source>
        <translation>rank %1 有 %2 个样本，rank %3 有 %4 个</translation>
    </message>
    <message>
        <source>the samples of rank %1 are not one after another</source>
        <translation>rank %1 的样本不连续</translation>
    </message>
    <message>
        <source>each rank takes every n-th sample instead of a contiguous part</source>
        <translation>每个 rank 每隔 n 个取一个样本，而不是连续的一段</translation>
    </message>
    <message>
        <source>ranks %1 and %2 both have the labels %3 and %4</source>
        <translation>rank %1 和 %2 都有标签 %3 和 %4</translation>
    </message>
    <message>
        <source>the samples are not sorted by label before the split</source>
        <translation>划分前没有按标签排序样本</translation>
    </message>
    <message>
        <source>rank %1 has the same order in every epoch</source>
        <translation>rank %1 每轮的次序都相同</translation>
    </message>
    <message>
        <source>the indices are not shuffled</source>
        <translation>索引没有打乱</translation>
    </message>
    <message>
        <source>the epoch of set_epoch is not part of the seed</source>
        <translation>种子中没有包含 set_epoch 给出的轮次</translation>
    </message>
    <message>
        <source>rank %1 has another order when epoch %2 comes again</source>
        <translation>轮次 %2 再次出现时，rank %1 的次序不同</translation>
    </message>
    <message>
        <source>index %1 is given twice in epoch %2</source>
        <translation>索引 %1 在轮次 %2 中出现两次</translation>
    </message>
    <message>
        <source>no index is drawn twice</source>
        <translation>没有索引被重复抽取</translation>
    </message>
    <message>
        <source>indices are drawn without replacement</source>
        <translation>索引是无放回抽取的</translation>
    </message>
    <message>
        <source>parameters are changed while autograd records: use torch.no_grad() in step</source>
        <translation>修改参数时自动求导仍在记录：请在 step 中使用 torch.no_grad()</translation>
    </message>
    <message>
        <source>param.grad is None before the first backward: zero_grad must allow that</source>
        <translation>第一次 backward 之前 param.grad 是 None：zero_grad 必须允许这种情况</translation>
    </message>
    <message>
        <source>the code raises %1</source>
        <translation>代码抛出异常 %1</translation>
    </message>
    <message>
        <source>the code raises %1: %2</source>
        <translation>代码抛出异常 %1：%2</translation>
    </message>
    <message>
        <source>the file has no %1</source>
        <translation>文件中没有 %1</translation>
    </message>
    <message>
        <source>the file has no %1; it has: %2</source>
        <translation>文件中没有 %1；其中有：%2</translation>
    </message>
    <message>
        <source>the code did not end in time: it waits for something, or loops forever</source>
        <translation>代码没有按时结束：它在等待，或陷入了死循环</translation>
    </message>
    <message>
        <source>the code was ended by signal %1</source>
        <translation>代码被信号 %1 终止</translation>
    </message>
    <message>
        <source>the code ended the check before its end, with exit code %1</source>
        <translation>代码使检查提前结束，退出码为 %1</translation>
    </message>
    <message>
        <source>the parameters themselves are not changed: the update makes a new tensor</source>
        <translation>参数本身没有改变：更新生成了新的张量</translation>
    </message>
    <message>
        <source>params is a generator, which is empty after its first loop: keep list(params)</source>
        <translation>params 是生成器，遍历一次后即为空：请保存 list(params)</translation>
    </message>
    <message>
        <source>zero_grad does not clear the gradients, so those of earlier steps are added</source>
        <translation>zero_grad 没有清除梯度，因此累加了以前各步的梯度</translation>
    </message>
    <message>
        <source>the sign is wrong: the update is added</source>
        <translation>符号错误：更新量被加上了</translation>
    </message>
    <message>
        <source>the learning rate is applied twice</source>
        <translation>学习率乘了两次</translation>
    </message>
    <message>
        <source>the learning rate is missing</source>
        <translation>缺少学习率</translation>
    </message>
    <message>
        <source>a weight decay is added to the gradient</source>
        <translation>梯度中加入了权重衰减</translation>
    </message>
    <message>
        <source>a weight decay is subtracted from the parameters, as AdamW does</source>
        <translation>参数中减去了权重衰减，如 AdamW</translation>
    </message>
    <message>
        <source>the second moment uses g, not g²</source>
        <translation>二阶矩用了 g，而不是 g²</translation>
    </message>
    <message>
        <source>the second moment uses |g|, not g²</source>
        <translation>二阶矩用了 |g|，而不是 g²</translation>
    </message>
    <message>
        <source>the second moment uses the square of the first moment, not of the gradient</source>
        <translation>二阶矩用了一阶矩的平方，而不是梯度的平方</translation>
    </message>
    <message>
        <source>the square root in the denominator is missing</source>
        <translation>分母中缺少平方根</translation>
    </message>
    <message>
        <source>ε is inside the square root, not outside</source>
        <translation>ε 在根号内，应在根号外</translation>
    </message>
    <message>
        <source>the two factors of the moving averages are swapped</source>
        <translation>滑动平均的两个系数写反了</translation>
    </message>
    <message>
        <source>the moments are sums, not averages: the factor 1 - β is missing, or t stays 1</source>
        <translation>矩成了累加和，而不是滑动平均：缺少系数 1 - β，或 t 始终为 1</translation>
    </message>
    <message>
        <source>only the second moment is bias-corrected</source>
        <translation>只对二阶矩做了偏差修正</translation>
    </message>
    <message>
        <source>only the first moment is bias-corrected</source>
        <translation>只对一阶矩做了偏差修正</translation>
    </message>
    <message>
        <source>the bias correction is stored in the moments, so the next step corrects it again</source>
        <translation>偏差修正的结果存回了矩，下一步会再次修正</translation>
    </message>
    <message>
        <source>t is 0 in the first step; it counts from 1</source>
        <translation>第一步的 t 是 0；应从 1 开始</translation>
    </message>
    <message>
        <source>t rises with each parameter; it counts steps</source>
        <translation>t 随每个参数增加；它应按步计数</translation>
    </message>
    <message>
        <source>the update uses the gradient, not the first moment</source>
        <translation>更新用了梯度，而不是一阶矩</translation>
    </message>
    <message>
        <source>all parameters share one state; each needs its own</source>
        <translation>所有参数共用一个状态；每个参数应有自己的状态</translation>
    </message>
    <message>
        <source>the state starts from zero in each step; it must be kept</source>
        <translation>状态在每步都从零开始；它必须保留</translation>
    </message>
    <message>
        <source>the gradient is scaled by 1 - μ: a moving average instead of a sum</source>
        <translation>梯度乘了 1 - μ：成了滑动平均，而不是累加</translation>
    </message>
    <message>
        <source>the velocity is param.grad itself, which zero_grad and backward change: clone it</source>
        <translation>速度就是 param.grad 本身，会被 zero_grad 和 backward 修改：请用 clone</translation>
    </message>
    <message>
        <source>this is plain momentum: the step does not look ahead</source>
        <translation>这是普通动量法：没有向前看一步</translation>
    </message>
    <message>
        <source>the sum of squares is a moving average, as in RMSProp</source>
        <translation>平方和写成了滑动平均，如 RMSProp</translation>
    </message>
    <message>
        <source>the squares are summed, as in AdaGrad</source>
        <translation>平方被累加了，如 AdaGrad</translation>
    </message>
    <message>
        <source>with ε outside the square root</source>
        <translation>ε 在根号外</translation>
    </message>
    <message>
        <source>without ε</source>
        <translation>不带 ε</translation>
    </message>
    <message>
        <source>with ε inside the square root</source>
        <translation>ε 在根号内</translation>
    </message>
    <message>
        <source>Kingma and Ba&apos;s Adam</source>
        <translation>Kingma 和 Ba 的 Adam</translation>
    </message>
    <message>
        <source>Kingma and Ba&apos;s Adam, without ε</source>
        <translation>Kingma 和 Ba 的 Adam，不带 ε</translation>
    </message>
    <message>
        <source>Kingma and Ba&apos;s Adam, ε added before the bias correction</source>
        <translation>Kingma 和 Ba 的 Adam，ε 在偏差修正之前加入</translation>
    </message>
    <message>
        <source>the course&apos;s Adam: no bias correction, no ε</source>
        <translation>课程中的 Adam：无偏差修正，不带 ε</translation>
    </message>
    <message>
        <source>the course&apos;s Adam, with ε: no bias correction</source>
        <translation>课程中的 Adam，带 ε：无偏差修正</translation>
    </message>
    <message>
        <source>rank %1 (line %2) waits for rank %3 to receive</source>
        <translation>rank %1（第 %2 行）等待 rank %3 接收</translation>
    </message>
    <message>
        <source>rank %1 (line %2) waits in %3 for the other ranks</source>
        <translation>rank %1（第 %2 行）在 %3 中等待其他 rank</translation>
    </message>
    <message>
        <source>rank %1 (line %2) waits for any rank to send</source>
        <translation>rank %1（第 %2 行）等待任一 rank 发送</translation>
    </message>
    <message>
        <source>rank %1 (line %2) waits for rank %3 to send</source>
        <translation>rank %1（第 %2 行）等待 rank %3 发送</translation>
    </message>
    <message>
        <source>rank %1: the %2 that begins in line %3 is not waited for</source>
        <translation>rank %1：第 %3 行开始的 %2 没有等待完成</translation>
    </message>
    <message>
        <source>a request of isend or irecv needs wait() before its buffer is used</source>
        <translation>使用缓冲区之前，必须对 isend 或 irecv 的请求调用 wait()</translation>
    </message>
    <message>
        <source>rank %1: the tensor that is sent to rank %2 changes before the send has ended</source>
        <translation>rank %1：发给 rank %2 的张量在发送完成前被修改</translation>
    </message>
    <message>
        <source>the buffer of isend is written to before wait()</source>
        <translation>在 wait() 之前写入了 isend 的缓冲区</translation>
    </message>
    <message>
        <source>rank %1 sends %2 bytes to rank %3, which receives %4</source>
        <translation>rank %1 向 rank %3 发送 %2 字节，对方却接收 %4 字节</translation>
    </message>
    <message>
        <source>the buffer of a receive needs the size of the piece that comes</source>
        <translation>接收缓冲区的大小应等于将要收到的那一块</translation>
    </message>
    <message>
        <source>rank %1 sends to rank %2, which does not receive it</source>
        <translation>rank %1 向 rank %2 发送，但对方没有接收</translation>
    </message>
    <message>
        <source>a receive is missing</source>
        <translation>缺少一次接收</translation>
    </message>
    <message>
        <source>rank %1 receives from rank %2, which sends nothing</source>
        <translation>rank %1 从 rank %2 接收，但对方没有发送</translation>
    </message>
    <message>
        <source>rank %1 received other bytes than rank %2 sent</source>
        <translation>rank %1 收到的字节与 rank %2 发送的不同</translation>
    </message>
    <message>
        <source>rank %1 has returned</source>
        <translation>rank %1 已经返回</translation>
    </message>
    <message>
        <source>and %1 more</source>
        <translation>以及另外 %1 个</translation>
    </message>
    <message>
        <source>deadlock: %1</source>
        <translation>死锁：%1</translation>
    </message>
    <message>
        <source>not ended in time: %1</source>
        <translation>未在时限内结束：%1</translation>
    </message>
    <message>
        <source>all ranks send before any receives: send waits for the receiver</source>
        <translation>所有 rank 都先发送后接收，而 send 会等待接收方</translation>
    </message>
    <message>
        <source>%1 elements instead of %2</source>
        <translation>元素个数是 %1，应为 %2</translation>
    </message>
    <message>
        <source>element %1 is %2 instead of %3</source>
        <translation>第 %1 个元素是 %2，应为 %3</translation>
    </message>
    <message>
        <source>%1 does not start: %2</source>
        <translation>%1 无法启动：%2</translation>
    </message>
    <message>
        <source>no Python here has torch; install it: %1</source>
        <translation>本机的 Python 没有 torch；请安装：%1</translation>
    </message>
    <message>
        <source>the check was cancelled</source>
        <translation>检查已取消</translation>
    </message>
    <message>
        <source>the step %1 has no check of code</source>
        <translation>步骤 %1 没有代码检查</translation>
    </message>
    <message>
        <source>%1 has more than %2 bytes</source>
        <translation>%1 超过 %2 字节</translation>
    </message>
    <message>
        <source>its kind is not one of %1; the code is only shown</source>
        <translation>类型不在 %1 之中；代码只供查看</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is not points</source>
        <translation>“%1”不是分数</translation>
    </message>
    <message>
        <source>Answers: %1</source>
        <translation>答案：%1</translation>
    </message>
    <message>
        <source>Hand-in</source>
        <translation>提交</translation>
    </message>
    <message>
        <source>Answer</source>
        <translation>答案</translation>
    </message>
    <message>
        <source>Points</source>
        <translation>得分</translation>
    </message>
    <message>
        <source>Of</source>
        <translation>满分</translation>
    </message>
    <message>
        <source>Comment</source>
        <translation>评语</translation>
    </message>
    <message>
        <source>Comments to be used again</source>
        <translation>常用评语</translation>
    </message>
    <message>
        <source>its first line does not name the columns %1</source>
        <translation>首行缺少以下列：%1</translation>
    </message>
    <message>
        <source>%1 runs with equal ids and start times</source>
        <translation>%1 次运行的编号和开始时间相同</translation>
    </message>
    <message>
        <source>%1: equal code but for names, comments and spacing</source>
        <translation>%1：除命名、注释和空白外代码相同</translation>
    </message>
    <message>
        <source>%1: equal text</source>
        <translation>%1：文字相同</translation>
    </message>
    <message>
        <source>the key is of %1; the laboratory is %2</source>
        <translation>答案属于 %1；实验是 %2</translation>
    </message>
    <message>
        <source>it is of revision %1, for which no key was given</source>
        <translation>它属于修订版 %1，未给出该版的答案</translation>
    </message>
    <message>
        <source>it names no student</source>
        <translation>其中没有学生信息</translation>
    </message>
    <message>
        <source>its copy of the laboratory is not the one given; marked by the one given</source>
        <translation>其中的实验与给出的不同；按给出的实验评分</translation>
    </message>
    <message>
        <source>a student has no number</source>
        <translation>有学生没有填写学号</translation>
    </message>
    <message>
        <source>the roster does not say when it was handed in</source>
        <translation>名单中没有提交时间</translation>
    </message>
    <message>
        <source>%1 is not in the roster</source>
        <translation>%1 不在名单中</translation>
    </message>
    <message>
        <source>The class: %1</source>
        <translation>全班：%1</translation>
    </message>
    <message>
        <source>Hand-ins</source>
        <translation>提交数</translation>
    </message>
    <message>
        <source>Not read</source>
        <translation>未能读取</translation>
    </message>
    <message>
        <source>Predictions beside results</source>
        <translation>预测与结果对照</translation>
    </message>
    <message>
        <source>Final figures, one point a hand-in</source>
        <translation>最终指标，每份提交一个点</translation>
    </message>
    <message>
        <source>predicted</source>
        <translation>预测</translation>
    </message>
    <message>
        <source>measured</source>
        <translation>实测</translation>
    </message>
    <message>
        <source>Points of each step, of hand-ins that are marked</source>
        <translation>各步骤的得分（已评分的提交）</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>步骤</translation>
    </message>
    <message>
        <source>Mean</source>
        <translation>平均</translation>
    </message>
    <message>
        <source>Median</source>
        <translation>中位数</translation>
    </message>
    <message>
        <source>Marked</source>
        <translation>已评分</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>姓名</translation>
    </message>
    <message>
        <source>Student number</source>
        <translation>学号</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 / %2</translation>
    </message>
    <message>
        <source>Late</source>
        <translation>迟交</translation>
    </message>
    <message>
        <source>yes</source>
        <translation>是</translation>
    </message>
    <message>
        <source>Why</source>
        <translation>依据</translation>
    </message>
    <message>
        <source>Points of each step</source>
        <translation>各步骤的得分</translation>
    </message>
    <message>
        <source>not marked yet</source>
        <translation>尚未评分</translation>
    </message>
    <message>
        <source>the code is right</source>
        <translation>代码正确</translation>
    </message>
    <message>
        <source>%1; known mistake: %2</source>
        <translation>%1；已知错误：%2</translation>
    </message>
    <message>
        <source>no code is handed in</source>
        <translation>没有提交代码</translation>
    </message>
    <message>
        <source>code not run</source>
        <translation>未运行代码</translation>
    </message>
    <message>
        <source>Holds: %1</source>
        <translation>成立：%1</translation>
    </message>
    <message>
        <source>Does not hold: %1</source>
        <translation>不成立：%1</translation>
    </message>
    <message>
        <source>Cannot be told: %1</source>
        <translation>无法判断：%1</translation>
    </message>
    <message>
        <source>%1 runs; finished ones of %2 of %3 variants</source>
        <translation>%1 次运行；%3 个变体中 %2 个有完成的运行</translation>
    </message>
    <message>
        <source>%1 runs of the journal are not in the hand-in</source>
        <translation>日志中有 %1 次运行不在提交中</translation>
    </message>
    <message>
        <source>%1 runs do not have the seed of the student&apos;s number</source>
        <translation>%1 次运行的种子与学号不符</translation>
    </message>
    <message>
        <source>no prediction</source>
        <translation>没有预测</translation>
    </message>
    <message>
        <source>sealed after the experiment had run</source>
        <translation>在实验运行之后才封存</translation>
    </message>
    <message>
        <source>the hand-in states %1; its runs give %2</source>
        <translation>提交中写的是 %1；由其运行得到 %2</translation>
    </message>
    <message>
        <source>no claim</source>
        <translation>没有结论</translation>
    </message>
    <message>
        <source>%1: automatic points %2, before %3</source>
        <translation>%1：自动评分 %2，之前为 %3</translation>
    </message>
    <message>
        <source>%1: at most %2 points, before %3</source>
        <translation>%1：满分 %2，之前为 %3</translation>
    </message>
    <message>
        <source>%1: the hand-in is now %2, before %3</source>
        <translation>%1：现在的提交是 %2，之前是 %3</translation>
    </message>
    <message>
        <source>%1: the key has no points for it any more</source>
        <translation>%1：答案中不再给分</translation>
    </message>
    <message>
        <source>%1: %2 points by %3, %4 by %5; the first is kept</source>
        <translation>%1：%3 给 %2 分，%5 给 %4 分；保留前者</translation>
    </message>
    <message>
        <source>%1: no hand-in now; the earlier marks are kept</source>
        <translation>%1：现在没有提交；保留之前的评分</translation>
    </message>
    <message>
        <source>%1: two comments; the first is kept</source>
        <translation>%1：有两条评语；保留第一条</translation>
    </message>
    <message>
        <source>it is not in UTF-8; export it as CSV in UTF-8</source>
        <translation>不是 UTF-8 编码；请导出为 UTF-8 的 CSV</translation>
    </message>
    <message>
        <source>it has a quotation mark without its end</source>
        <translation>有未闭合的引号</translation>
    </message>
    <message>
        <source>it has text behind a quotation mark</source>
        <translation>引号之后有多余文字</translation>
    </message>
    <message>
        <source>no column for the marks was found; name it: --points-column NAME</source>
        <translation>找不到成绩列；请指定：--points-column NAME</translation>
    </message>
    <message>
        <source>several columns may be for the marks: %1; name one: --points-column NAME</source>
        <translation>可能是成绩列的有多列：%1；请指定：--points-column NAME</translation>
    </message>
    <message>
        <source>no column of student numbers was found; name it: --number-column NAME</source>
        <translation>找不到学号列；请指定：--number-column NAME</translation>
    </message>
    <message>
        <source>it is no workbook of spreadsheets</source>
        <translation>不是电子表格文件</translation>
    </message>
    <message>
        <source>its sheet is damaged: %1</source>
        <translation>工作表已损坏：%1</translation>
    </message>
    <message>
        <source>its sheet has a cell without a place</source>
        <translation>工作表中有单元格缺少位置</translation>
    </message>
    <message>
        <source>it is an archive in too many others</source>
        <translation>压缩包嵌套层数过多</translation>
    </message>
    <message>
        <source>this is a hand-in: it is only read</source>
        <translation>这是提交文件，只能阅读</translation>
    </message>
    <message>
        <source>%1 is not a code step</source>
        <translation>%1 不是编程步骤</translation>
    </message>
    <message>
        <source>%1 already exists; it is kept</source>
        <translation>%1 已存在；保留不变</translation>
    </message>
    <message>
        <source>not installed: %1</source>
        <translation>未安装：%1</translation>
    </message>
    <message>
        <source>Nothing can be trained: %1.</source>
        <translation>无法训练：%1。</translation>
    </message>
    <message>
        <source>%1 does not exist</source>
        <translation>%1 不存在</translation>
    </message>
    <message>
        <source>%1 contains the home folder, which code that is marked may not read</source>
        <translation>%1 包含主目录，评分时运行的代码不得读取主目录</translation>
    </message>
    <message>
        <source>%1 cannot be given to the user of the sandbox: %2</source>
        <translation>无法把 %1 交给沙箱的用户：%2</translation>
    </message>
    <message>
        <source>ended after %1 s, the time it may take</source>
        <translation>已在 %1 秒的时限后结束</translation>
    </message>
    <message>
        <source>ended: it used more than %1 MiB of memory</source>
        <translation>已结束：使用的内存超过 %1 MiB</translation>
    </message>
    <message>
        <source>ended: it wrote more than %1 MiB or %2 files</source>
        <translation>已结束：写入的数据超过 %1 MiB，或文件超过 %2 个</translation>
    </message>
    <message>
        <source>ended: it printed more than %1 MiB</source>
        <translation>已结束：输出超过 %1 MiB</translation>
    </message>
    <message>
        <source>cancelled</source>
        <translation>已取消</translation>
    </message>
    <message>
        <source>bubblewrap is not installed: code is not run while marking</source>
        <translation>未安装 bubblewrap：评分时不运行代码</translation>
    </message>
    <message>
        <source>works</source>
        <translation>可用</translation>
    </message>
    <message>
        <source>namespaces are refused (%1): code is not run while marking</source>
        <translation>命名空间被拒绝（%1）：评分时不运行代码</translation>
    </message>
    <message>
        <source>Install the rank program for GPUs: %1.</source>
        <translation>请安装用于 GPU 的 rank 程序：%1。</translation>
    </message>
    <message>
        <source>does not run yet: a run whose ranks share a GPU starts it (device.mps)</source>
        <translation>尚未运行：rank 共用 GPU 的运行会启动它（device.mps）</translation>
    </message>
    <message>
        <source>cannot run, so ranks that share a GPU take turns: %1</source>
        <translation>不能运行，共用 GPU 的 rank 轮流运行：%1</translation>
    </message>
    <message>
        <source>./run --cuda builds it</source>
        <translation>用 ./run --cuda 构建</translation>
    </message>
    <message>
        <source>GPU %1 is cut into MIG slices</source>
        <translation>GPU %1 已划分为 MIG 切片</translation>
    </message>
    <message>
        <source>GPU %1 is older than Volta (compute capability %2.%3; 7.0 is needed)</source>
        <translation>GPU %1 早于 Volta（计算能力 %2.%3，需要 7.0）</translation>
    </message>
    <message>
        <source>GPU %1 is in compute mode Prohibited (`sudo nvidia-smi -c DEFAULT` changes it)</source>
        <translation>GPU %1 的计算模式为 Prohibited（`sudo nvidia-smi -c DEFAULT` 可更改）</translation>
    </message>
    <message>
        <source>GPU %1 is in compute mode Exclusive_Thread (`sudo nvidia-smi -c DEFAULT` changes it)</source>
        <translation>GPU %1 的计算模式为 Exclusive_Thread（`sudo nvidia-smi -c DEFAULT` 可更改）</translation>
    </message>
    <message>
        <source>WSL has no MPS</source>
        <translation>WSL 没有 MPS</translation>
    </message>
    <message>
        <source>nvidia-cuda-mps-control is not in PATH (Debian: nvidia-cuda-mps, Ubuntu: nvidia-compute-utils)</source>
        <translation>PATH 中没有 nvidia-cuda-mps-control（Debian：nvidia-cuda-mps，Ubuntu：nvidia-compute-utils）</translation>
    </message>
    <message>
        <source>the NVIDIA driver reports no GPU</source>
        <translation>NVIDIA 驱动未报告 GPU</translation>
    </message>
    <message>
        <source>%1 cannot be started: %2</source>
        <translation>%1 无法启动：%2</translation>
    </message>
    <message>
        <source>%1 failed</source>
        <translation>%1 失败</translation>
    </message>
    <message>
        <source>%1 failed: %2</source>
        <translation>%1 失败：%2</translation>
    </message>
    <message>
        <source>%1 did not answer within %2 s</source>
        <translation>%1 在 %2 秒内没有应答</translation>
    </message>
    <message>
        <source>%1 cannot be opened: %2</source>
        <translation>无法打开 %1：%2</translation>
    </message>
    <message>
        <source>%1 has been locked by another process for too long</source>
        <translation>%1 被另一个进程锁定过久</translation>
    </message>
    <message>
        <source>%1 cannot be locked: %2</source>
        <translation>无法锁定 %1：%2</translation>
    </message>
    <message>
        <source>the MPS server did not start within %1 s</source>
        <translation>MPS 服务器在 %1 秒内没有启动</translation>
    </message>
    <message>
        <source>Without MPS, ranks that share a GPU take turns: %1</source>
        <translation>没有 MPS，共用 GPU 的 rank 轮流运行：%1</translation>
    </message>
    <message>
        <source>Ranks that share a GPU use the MPS that runs here (%1)</source>
        <translation>共用 GPU 的 rank 使用此处已运行的 MPS（%1）</translation>
    </message>
    <message>
        <source>MPS started: ranks that share a GPU run at the same time</source>
        <translation>已启动 MPS：共用 GPU 的 rank 同时运行</translation>
    </message>
    <message>
        <source>Ranks that share a GPU use the MPS that Lockstep has started</source>
        <translation>共用 GPU 的 rank 使用 Lockstep 已启动的 MPS</translation>
    </message>
    <message>
        <source>queue: %1</source>
        <translation>队列：%1</translation>
    </message>
    <message>
        <source>training needs torch in this environment; run: pip install &apos;torch==%1.*&apos;, with --index-url https://download.pytorch.org/whl/cpu for the CPU only</source>
        <translation>训练需要本环境中有 torch；请运行：pip install &apos;torch==%1.*&apos;，仅用 CPU 时加 --index-url https://download.pytorch.org/whl/cpu</translation>
    </message>
    <message>
        <source>torch %1 is not supported: torch 2.6 and older have another C++ ABI; run: pip install &apos;torch==%2.*&apos;</source>
        <translation>不支持 torch %1：torch 2.6 及更早版本的 C++ ABI 不同；请运行：pip install &apos;torch==%2.*&apos;</translation>
    </message>
    <message>
        <source>no rank program of this package fits torch %1, only torch %2; run: pip install &apos;torch==%3.*&apos;</source>
        <translation>本软件包的 rank 程序不适用于 torch %1，只适用于 torch %2；请运行：pip install &apos;torch==%3.*&apos;</translation>
    </message>
    <message>
        <source>this package has no rank program for CUDA with torch %1</source>
        <translation>本软件包没有可用于 torch %1 和 CUDA 的 rank 程序</translation>
    </message>
    <message>
        <source>torch %1 has no CUDA; run: pip install --force-reinstall &apos;torch==%2.*&apos;</source>
        <translation>torch %1 不含 CUDA；请运行：pip install --force-reinstall &apos;torch==%2.*&apos;</translation>
    </message>
    <message>
        <source>torch %1 has CUDA %2, but the rank program of this package needs CUDA %3</source>
        <translation>torch %1 的 CUDA 是 %2，而本软件包的 rank 程序需要 CUDA %3</translation>
    </message>
    <message>
        <source>this package has no rank programs, so it cannot train: set LOCKSTEP_RANK</source>
        <translation>本软件包没有 rank 程序，无法训练：请设置 LOCKSTEP_RANK</translation>
    </message>
    <message>
        <source>Running on the CPU: a GPU was found, but no CUDA flavour of lockstep-rank (%1)</source>
        <translation>在 CPU 上运行：找到了 GPU，但没有 CUDA 版 lockstep-rank（%1）</translation>
    </message>
    <message>
        <source>%1. Under MPS a GPU fault of one process ends the others on that GPU: another run may be the cause</source>
        <translation>%1。在 MPS 下，一个进程的 GPU 故障会终止该 GPU 上的其他进程：原因可能在另一次运行</translation>
    </message>
    <message>
        <source>%1 is not a folder that only this user can enter; remove it</source>
        <translation>%1 不是只有本用户能进入的文件夹；请删除它</translation>
    </message>
    <message>
        <source>it has no end</source>
        <translation>它没有结束记录</translation>
    </message>
    <message>
        <source>%1 cannot be removed: %2</source>
        <translation>无法移除 %1：%2</translation>
    </message>
    <message>
        <source>%1: name one laboratory, a .lab file or its folder</source>
        <translation>%1：请给出一个课程实验（.lab 文件或其文件夹）</translation>
    </message>
    <message>
        <source>there is no display for a window (DISPLAY and WAYLAND_DISPLAY are empty); lockstep --help lists what works without one</source>
        <translation>没有显示器可用于窗口（DISPLAY 和 WAYLAND_DISPLAY 为空）；lockstep --help 列出无需窗口的功能</translation>
    </message>
    <message>
        <source>the class uses %1: write the update yourself</source>
        <translation>这个类使用了 %1：请自己编写更新</translation>
    </message>
    <message>
        <source>index %1 is given by no rank in epoch %2</source>
        <translation>轮次 %2 中没有 rank 给出索引 %1</translation>
    </message>
    <message>
        <source>the torch in %1 is not of %2 itself: code that is marked cannot reach it</source>
        <translation>%1 中的 torch 不属于 %2 本身：评分时运行的代码无法访问它</translation>
    </message>
    <message>
        <source>%1 and %2 are no revisions of one laboratory</source>
        <translation>%1 与 %2 不是同一实验的修订版</translation>
    </message>
    <message>
        <source>the marks are of %1; the laboratory is %2; choose another folder</source>
        <translation>评分结果属于 %1，而实验是 %2；请选择其他文件夹</translation>
    </message>
    <message>
        <source>marked by its own copy of the laboratory: revision %1 was not given</source>
        <translation>按其自带的实验副本评分：未给出修订版 %1</translation>
    </message>
    <message>
        <source>%1 does not work (%2): install what it needs, or its package again.</source>
        <translation>%1 无法工作（%2）：请安装其所需的库，或重新安装其软件包。</translation>
    </message>
    <message>
        <source>The rank program for GPUs does not work (%1): install what it needs, or its package again.</source>
        <translation>用于 GPU 的 rank 程序无法工作（%1）：请安装其所需的库，或重新安装其软件包。</translation>
    </message>
    <message>
        <source>it is in the Python package lockstep-workbench; set LOCKSTEP_RANK_CUDA to its path</source>
        <translation>它在 Python 软件包 lockstep-workbench 中；请将 LOCKSTEP_RANK_CUDA 设为其路径</translation>
    </message>
    <message>
        <source>there is no lockstep-rank beside this program, in LOCKSTEP_RANK or in PATH: install the package lockstep-rank</source>
        <translation>在本程序旁边、LOCKSTEP_RANK 和 PATH 中都没有 lockstep-rank：请安装软件包 lockstep-rank</translation>
    </message>
    <message>
        <source>it has more than %1 brackets in one another</source>
        <translation>其中嵌套的括号超过 %1 层</translation>
    </message>
    <message>
        <source>line %1, column %2</source>
        <translation>第 %1 行第 %2 列</translation>
    </message>
    <message>
        <source>it is no object</source>
        <translation>它不是对象</translation>
    </message>
    <message>
        <source>an experiment and a preset are given; leave one out</source>
        <translation>同时给出了 experiment 和 preset；请只保留一个</translation>
    </message>
    <message>
        <source>its answer is missing</source>
        <translation>缺少答案</translation>
    </message>
    <message>
        <source>it is not JSON: %1</source>
        <translation>它不是 JSON：%1</translation>
    </message>
    <message>
        <source>its %1 is not JSON: %2</source>
        <translation>其中的 %1 不是 JSON：%2</translation>
    </message>
    <message>
        <source>made with %1</source>
        <translation>以 %1 构造时</translation>
    </message>
    <message>
        <source>the argument %1 is not used: the code has a fixed value</source>
        <translation>没有使用参数 %1，而是用了固定的值</translation>
    </message>
    <message>
        <source>the state is float32 although the parameter is float64: torch.zeros_like(param)</source>
        <translation>参数是 float64，状态却是 float32：应使用 torch.zeros_like(param)</translation>
    </message>
    <message>
        <source>two processes with the same seed and epoch have different orders</source>
        <translation>种子和 epoch 相同的两个进程得到不同的顺序</translation>
    </message>
    <message>
        <source>in epoch %1 every seed gives the same order</source>
        <translation>在 epoch %1 中，所有种子得到相同的顺序</translation>
    </message>
    <message>
        <source>the seed is not used, or it is multiplied by the epoch</source>
        <translation>没有使用种子，或者把它与 epoch 相乘</translation>
    </message>
    <message>
        <source>the Sampler changes the global generator of %1</source>
        <translation>Sampler 改变了 %1 的全局生成器</translation>
    </message>
    <message>
        <source>the rest of the training uses it too: take a torch.Generator of your own</source>
        <translation>训练的其他部分也使用它：请使用自己的 torch.Generator</translation>
    </message>
    <message>
        <source>the labels are given, not the indices</source>
        <translation>给出的是标签，而不是索引</translation>
    </message>
    <message>
        <source>the permutation comes from a generator whose state differs between ranks, such as the global one</source>
        <translation>排列来自各 rank 状态不同的生成器，例如全局生成器</translation>
    </message>
    <message>
        <source>the sorted samples are dealt in turn: cut the sorted list into parts</source>
        <translation>排序后的样本被轮流分配：应把排好序的列表切成几段</translation>
    </message>
    <message>
        <source>the order depends on earlier calls (a generator&apos;s state, a counter), not on seed and epoch alone</source>
        <translation>顺序还取决于之前的调用（生成器的状态、计数器），而不是只取决于 seed 和 epoch</translation>
    </message>
    <message>
        <source>rank %1 has another order in the second pass of epoch %2</source>
        <translation>rank %1 在 epoch %2 的第二次遍历中顺序不同</translation>
    </message>
    <message>
        <source>__iter__ changes what the order depends on: only set_epoch may</source>
        <translation>__iter__ 改变了决定顺序的量：只有 set_epoch 可以改变它</translation>
    </message>
    <message>
        <source>rank %1 has other samples in epoch %2 than in epoch %3</source>
        <translation>rank %1 在 epoch %2 的样本与 epoch %3 的不同</translation>
    </message>
    <message>
        <source>the samples are shuffled before the cut instead of after it</source>
        <translation>样本在切分之前打乱，而不是在切分之后</translation>
    </message>
    <message>
        <source>a curve needs its chart: loss, accuracy, train-loss, test-loss, sweep</source>
        <translation>曲线需要指定图：loss、accuracy、train-loss、test-loss、sweep</translation>
    </message>
    <message>
        <source>the axis bytes is of the chart sweep, which has no other</source>
        <translation>横轴 bytes 只用于图 sweep，且该图没有其他横轴</translation>
    </message>
    <message>
        <source>To mark</source>
        <translation>待评分</translation>
    </message>
    <message>
        <source>Rubric: %1</source>
        <translation>评分标准：%1</translation>
    </message>
    <message>
        <source>Comment given %1 times: %2</source>
        <translation>用过 %1 次的评语：%2</translation>
    </message>
    <message>
        <source>several hand-ins; the newest is chosen by the clock of the student&apos;s computer</source>
        <translation>有多份提交；最新的一份按学生计算机的时钟确定</translation>
    </message>
    <message>
        <source>%1 is neither a run nor a student&apos;s number</source>
        <translation>%1 既不是运行也不是学号</translation>
    </message>
    <message>
        <source>cancelled: nothing was written</source>
        <translation>已取消：没有写出任何文件</translation>
    </message>
    <message>
        <source>Your answer: %1</source>
        <translation>你的答案：%1</translation>
    </message>
    <message>
        <source>; steps not marked yet: %1</source>
        <translation>；尚未评分的步骤：%1</translation>
    </message>
    <message>
        <source>the roster lies in the folder of the results; choose another folder</source>
        <translation>名单位于结果文件夹中；请选择另一个文件夹</translation>
    </message>
    <message>
        <source>%1 (key: %2)</source>
        <translation>%1（答案：%2）</translation>
    </message>
    <message>
        <source>%1 is larger than 64 MiB, the most for a roster</source>
        <translation>%1 超过 64 MiB，名单不能更大</translation>
    </message>
    <message>
        <source>%1: not run again: %2</source>
        <translation>%1：没有重新运行：%2</translation>
    </message>
    <message>
        <source>%1: run again, %2 losses equal bit for bit</source>
        <translation>%1：重新运行，%2 个损失逐位相同</translation>
    </message>
    <message>
        <source>%1: run again, the first steps within 1e-4 and the end in the interval of the repeats</source>
        <translation>%1：重新运行，前几步相差不超过 1e-4，最终值在重复运行的区间内</translation>
    </message>
    <message>
        <source>%1: run again, the first steps within 1e-4; one repeat gives no interval for the end</source>
        <translation>%1：重新运行，前几步相差不超过 1e-4；只有一次重复，最终值没有区间</translation>
    </message>
    <message>
        <source>%1: run again, it has %2 losses here and %3 in the hand-in</source>
        <translation>%1：重新运行，这里有 %2 个损失，提交文件中有 %3 个</translation>
    </message>
    <message>
        <source>%1: run again, it differs from step %2 on: %3 here, %4 in the hand-in</source>
        <translation>%1：重新运行，从第 %2 步起不同：这里 %3，提交文件中 %4</translation>
    </message>
    <message>
        <source>its points cannot be given: the kind of its check is not one of %1</source>
        <translation>无法给分：其检查类型不在 %1 之中</translation>
    </message>
    <message>
        <source>its tolerance %1 is not from 0 to %2; it is relative: 0.05 is 5 %</source>
        <translation>容差 %1 不在 0 到 %2 之间；容差是相对值：0.05 即 5 %</translation>
    </message>
    <message>
        <source>it is no PNG picture</source>
        <translation>不是 PNG 图片</translation>
    </message>
    <message>
        <source>it is no SVG picture</source>
        <translation>不是 SVG 图片</translation>
    </message>
    <message>
        <source>it has %1; a picture has no scripts, entities or references to other files</source>
        <translation>含有 %1；图片不得含脚本、实体或对其他文件的引用</translation>
    </message>
    <message>
        <source>it has %1 steps; a laboratory has at most %2</source>
        <translation>有 %1 个步骤；一个实验最多 %2 个</translation>
    </message>
    <message>
        <source>%1 needs a LibTorch that was built with CUDA; this one (%2) was built for the CPU only. Install lockstep-rank for CUDA (lockstep doctor says how), or use cpu</source>
        <translation>%1 需要支持 CUDA 的 LibTorch；当前的（%2）只支持 CPU。请安装支持 CUDA 的 lockstep-rank（方法见 lockstep doctor），或用 cpu</translation>
    </message>
    <message>
        <source>nccl, but this lockstep-rank was built without CUDA; install one for CUDA (lockstep doctor says how), or use auto, shm, gloo or mpi</source>
        <translation>nccl，但此 lockstep-rank 构建时没有 CUDA；请安装支持 CUDA 的（方法见 lockstep doctor），或用 auto、shm、gloo 或 mpi</translation>
    </message>
    <message>
        <source>the work is on %1, the laboratory is %2</source>
        <translation>该作业属于 %1，而实验是 %2</translation>
    </message>
    <message>
        <source>lab run: needs one laboratory, and its experiment step in --step</source>
        <translation>lab run：需要一个实验，并用 --step 给出其运行步骤</translation>
    </message>
    <message>
        <source>%1 is a laboratory; run one of its steps: lockstep lab run %1 --step STEP</source>
        <translation>%1 是一个实验；请运行其中一步：lockstep lab run %1 --step STEP</translation>
    </message>
    <message>
        <source>grade: needs --lab LAB and --key FILE</source>
        <translation>grade：需要 --lab LAB 和 --key FILE</translation>
    </message>
    <message>
        <source>needs a number of runs</source>
        <translation>需要运行的个数</translation>
    </message>
    <message>
        <source>the second circle takes the pieces in the wrong order: pass on the one that came last</source>
        <translation>第二圈中各块的次序不对：应把刚收到的一块传下去</translation>
    </message>
    <message>
        <source>the buffers are float32 although the tensor is float64</source>
        <translation>张量是 float64，缓冲区却是 float32</translation>
    </message>
    <message>
        <source>parameters is a generator, which is empty after its first loop: keep a list of it</source>
        <translation>parameters 是生成器，遍历一次后即为空：应先存成列表</translation>
    </message>
    <message>
        <source>the mean is computed in float32 although the gradients are float64</source>
        <translation>梯度是 float64，平均值却用 float32 计算</translation>
    </message>
    <message>
        <source>the weight is the only parameter: the bias is none</source>
        <translation>只有权重是参数，偏置不是</translation>
    </message>
    <message>
        <source>y on rank %1 of %2 has other dimensions than x</source>
        <translation>rank %1（共 %2 个）上 y 的维数与 x 不同</translation>
    </message>
    <message>
        <source>y keeps all dimensions of x but the last</source>
        <translation>除最后一维外，y 应保留 x 的所有维</translation>
    </message>
    <message>
        <source>the parts of y are joined in another dimension than the last</source>
        <translation>y 的各部分没有沿最后一维拼接</translation>
    </message>
    <message>
        <source>the parts of y are not joined in the order of the ranks</source>
        <translation>y 的各部分没有按 rank 的次序拼接</translation>
    </message>
    <message>
        <source>y has the right numbers in the wrong places</source>
        <translation>y 的数值正确，但位置不对</translation>
    </message>
    <message>
        <source>the gradient does not reach the weight: it is detached, or a backward returns None for it</source>
        <translation>梯度没有传到权重：权重被 detach，或 backward 对它返回 None</translation>
    </message>
    <message>
        <source>y is cut off from the graph: all_gather, detach and no_grad pass no gradient</source>
        <translation>y 与计算图断开：all_gather、detach 和 no_grad 都不传递梯度</translation>
    </message>
    <message>
        <source>the bias on rank %1 of %2 gets no gradient</source>
        <translation>rank %1（共 %2 个）上的偏置没有得到梯度</translation>
    </message>
    <message>
        <source>the gradient does not reach the bias: it is detached, or a backward returns None for it</source>
        <translation>梯度没有传到偏置：偏置被 detach，或 backward 对它返回 None</translation>
    </message>
    <message>
        <source>biases are missing: they are parameters too</source>
        <translation>缺少偏置：偏置也是参数</translation>
    </message>
    <message>
        <source>the layers do not have the sizes that are given: inputs, hidden and outputs</source>
        <translation>各层没有采用给定的大小：inputs、hidden 和 outputs</translation>
    </message>
    <message>
        <source>the grad of a parameter that took no part in the loss is None: skip it</source>
        <translation>没有参与损失计算的参数，其 grad 为 None：应跳过</translation>
    </message>
    <message>
        <source>where parameter %1 has no gradient</source>
        <translation>第 %1 个参数没有梯度时</translation>
    </message>
    <message>
        <source>step ends at the first parameter without a gradient: go on with the next one</source>
        <translation>step 遇到第一个没有梯度的参数就结束：应继续处理下一个</translation>
    </message>
    <message>
        <source>two parameters of the same shape share one state: each needs its own</source>
        <translation>形状相同的两个参数共用一个状态：每个参数都要有自己的状态</translation>
    </message>
    <message>
        <source>epochs %1 and %2 have the same order</source>
        <translation>第 %1 轮和第 %2 轮的次序相同</translation>
    </message>
    <message>
        <source>the output is cut off from the graph: it is detached, or computed under no_grad</source>
        <translation>输出与计算图断开：它被 detach，或在 no_grad 下计算</translation>
    </message>
    <message>
        <source>rank %1 waits in line %2</source>
        <translation>rank %1 在第 %2 行等待</translation>
    </message>
    <message>
        <source>rank %1 runs nothing of the file</source>
        <translation>rank %1 没有在运行文件中的代码</translation>
    </message>
    <message>
        <source>the parameter is changed by the velocity of the step before: update the velocity first</source>
        <translation>参数用的是上一步的速度：应先更新速度</translation>
    </message>
    <message>
        <source>a collective with async_op=True needs wait() before its result is used</source>
        <translation>使用 async_op=True 的集合通信，在使用结果之前必须先 wait()</translation>
    </message>
    <message>
        <source>rank %1 calls %2 where rank %3 calls %4 (line %5)</source>
        <translation>rank %1 调用了 %2，而 rank %3 调用的是 %4（第 %5 行）</translation>
    </message>
    <message>
        <source>all ranks must call the same collectives in the same order</source>
        <translation>所有 rank 必须按相同次序调用相同的集合通信</translation>
    </message>
    <message>
        <source>rank %1 calls %2 with %3 bytes where rank %4 has %5 bytes</source>
        <translation>rank %1 调用 %2 时有 %3 字节，而 rank %4 有 %5 字节</translation>
    </message>
    <message>
        <source>%1: rank %2 names rank %3 as src or dst, rank %4 names rank %5</source>
        <translation>%1：rank %2 指定的 src 或 dst 是 rank %3，rank %4 指定的是 rank %5</translation>
    </message>
    <message>
        <source>all ranks must give a collective the same src or dst</source>
        <translation>所有 rank 必须为同一次集合通信指定相同的 src 或 dst</translation>
    </message>
    <message>
        <source>every rank takes ⌈N/n⌉ samples: too few are left for the last</source>
        <translation>每个 rank 取 ⌈N/n⌉ 个样本，留给最后一个 rank 的太少</translation>
    </message>
    <message>
        <source>rank %1 gives nothing in the second pass of epoch %2</source>
        <translation>rank %1 在第 %2 轮的第二次遍历中没有给出索引</translation>
    </message>
    <message>
        <source>the indices are in one iterator, which is empty after its first pass</source>
        <translation>索引保存在一个迭代器中，遍历一次后即为空</translation>
    </message>
    <message>
        <source>it is not optional, but its experiment %1 is</source>
        <translation>它不是选做，但它的实验 %1 是选做</translation>
    </message>
    <message>
        <source>its experiment %1 is not optional, and runs only once this prediction is sealed</source>
        <translation>它的实验 %1 不是选做，要封存这个预测后才能运行</translation>
    </message>
    <message>
        <source>Key: %1</source>
        <translation>答案：%1</translation>
    </message>
    <message>
        <source>Answers of %1 hand-ins</source>
        <translation>%1 份提交的答案</translation>
    </message>
    <message>
        <source>%1, line %2: no hand-in has the code %3 and the step %4</source>
        <translation>%1 第 %2 行：没有代号为 %3、步骤为 %4 的提交</translation>
    </message>
    <message>
        <source>%1: the comment bank has no %2</source>
        <translation>%1：常用评语中没有 %2</translation>
    </message>
    <message>
        <source>line %1: &quot;%2&quot; is not a comment&apos;s number</source>
        <translation>第 %1 行：“%2”不是评语的编号</translation>
    </message>
    <message>
        <source>%1: the variant with the least %2</source>
        <translation>%1：%2最小的变体</translation>
    </message>
    <message>
        <source>All steps</source>
        <translation>全部步骤</translation>
    </message>
    <message>
        <source>%1 hand-ins, such as that of %2: %3</source>
        <translation>%1 份提交（例如 %2 的）：%3</translation>
    </message>
    <message>
        <source>%1: run again, %2 losses differ, the first at step %3 (%4 here, %5 in the hand-in); all others are equal bit for bit</source>
        <translation>%1：重新运行，%2 个损失不同，首个在第 %3 步（本机 %4，提交文件 %5）；其余逐位相同</translation>
    </message>
    <message>
        <source>the best guess must lie between the least and the greatest value</source>
        <translation>最佳猜测必须在最小值和最大值之间</translation>
    </message>
    <message>
        <source>the sandbox does not work (%1): code is not run while marking</source>
        <translation>沙盒无法使用（%1）：评分时不运行代码</translation>
    </message>
    <message>
        <source>the formula has %1, which is 0 here and no amount: set the number in the experiment</source>
        <translation>公式中的 %1 在此为 0，并不表示数量：请在实验中写明数值</translation>
    </message>
    <message>
        <source>a formula is not closed by a second $, in: %1</source>
        <translation>公式缺少第二个 $：%1</translation>
    </message>
    <message>
        <source>the work in this store is of the number %1</source>
        <translation>此存储中的作业属于学号 %1</translation>
    </message>
    <message>
        <source>leave it out: the work of --work has its student&apos;s number</source>
        <translation>请省略：--work 的作业中已有学生的学号</translation>
    </message>
    <message>
        <source>the tensor is cut along a dimension: cut all its elements in a row</source>
        <translation>张量是沿某一维切分的：应把全部元素排成一行再切分</translation>
    </message>
    <message>
        <source>a tensor of fewer elements than ranks has pieces without elements</source>
        <translation>元素个数少于 rank 数时，有些块是空的</translation>
    </message>
    <message>
        <source>a tensor of 0 dimensions is one number, which cannot be cut as it is</source>
        <translation>0 维张量只是一个数，不能直接切分</translation>
    </message>
    <message>
        <source>a piece is larger than ⌈N/n⌉ elements: cut all N elements in a row into n pieces</source>
        <translation>有一块超过 ⌈N/n⌉ 个元素：应把全部 N 个元素排成一行，再切成 n 块</translation>
    </message>
    <message>
        <source>%1 changes parameters</source>
        <translation>%1 修改了参数</translation>
    </message>
    <message>
        <source>param itself is averaged or updated: only param.grad is to change</source>
        <translation>被平均或更新的是参数本身：只应修改 param.grad</translation>
    </message>
    <message>
        <source>a parameter without a gradient gets one: its grad must stay None</source>
        <translation>给没有梯度的参数填上了梯度：它的 grad 应保持为 None</translation>
    </message>
    <message>
        <source>the code ends at the first parameter whose grad is None: go on with the next one</source>
        <translation>代码在第一个 grad 为 None 的参数处就结束了：应继续处理下一个参数</translation>
    </message>
    <message>
        <source>one rank collects the gradients, but another one sends</source>
        <translation>收集梯度的是一个 rank，发送的却是另一个 rank</translation>
    </message>
    <message>
        <source>the mean is computed in float16 or bfloat16 although the gradients are float32</source>
        <translation>梯度是 float32，平均值却用 float16 或 bfloat16 计算</translation>
    </message>
    <message>
        <source>rank %1 of %2 keeps the whole weight beside its parameters</source>
        <translation>rank %1（共 %2 个）除了自己的参数外还保留了整个权重</translation>
    </message>
    <message>
        <source>the layer keeps the x of its last call: each call must save its own</source>
        <translation>层里只保留了最近一次调用的 x：每次调用都应保存自己的 x</translation>
    </message>
    <message>
        <source>in a second call</source>
        <translation>在第二次调用中</translation>
    </message>
    <message>
        <source>after a second backward</source>
        <translation>在第二次反向传播之后</translation>
    </message>
    <message>
        <source>backward assigns a grad, so that an earlier one is lost: return gradients, which autograd adds</source>
        <translation>backward 直接给 grad 赋值，先前的梯度因此丢失：应返回梯度，由 autograd 相加</translation>
    </message>
    <message>
        <source>the second call adds no gradient: it is cut off, or backward assigns a grad instead of returning it</source>
        <translation>第二次调用没有增加梯度：它与计算图断开了，或 backward 给 grad 赋值而没有返回梯度</translation>
    </message>
    <message>
        <source>parameter_rrefs gives the shapes %1; the net has %2</source>
        <translation>parameter_rrefs 给出的形状是 %1；网络的形状是 %2</translation>
    </message>
    <message>
        <source>a layer of the second half is missing: it has two</source>
        <translation>后一半缺少一层：它应有两层</translation>
    </message>
    <message>
        <source>a parameter is in the list more than once</source>
        <translation>有参数在列表中出现了不止一次</translation>
    </message>
    <message>
        <source>step changes param.grad, which others read after it</source>
        <translation>step 修改了 param.grad，而之后还有别的代码要读取它</translation>
    </message>
    <message>
        <source>step must leave param.grad as it is: compute with a copy</source>
        <translation>step 不得修改 param.grad：请用副本计算</translation>
    </message>
    <message>
        <source>gradients of 0 are skipped: the state must change with them too</source>
        <translation>跳过了值为 0 的梯度：这时状态也应更新</translation>
    </message>
    <message>
        <source>a parameter without a gradient is updated as if its gradient were 0: leave its state and weights as they are</source>
        <translation>没有梯度的参数被当作梯度为 0 来更新：应保持它的状态和权重不变</translation>
    </message>
    <message>
        <source>rank %1 has another order without a call of set_epoch than in epoch %2</source>
        <translation>rank %1 在没有调用 set_epoch 时的次序与第 %2 轮不同</translation>
    </message>
    <message>
        <source>until set_epoch is called, the epoch is 0</source>
        <translation>调用 set_epoch 之前为第 0 轮</translation>
    </message>
    <message>
        <source>the Sampler changes the labels of the data</source>
        <translation>Sampler 修改了数据的标签</translation>
    </message>
    <message>
        <source>data.targets belongs to the data set: sort or shuffle a copy</source>
        <translation>data.targets 属于数据集：请对副本排序或打乱</translation>
    </message>
    <message>
        <source>the second moment keeps its largest value, as in AMSGrad</source>
        <translation>二阶矩保留了最大值，如同 AMSGrad</translation>
    </message>
    <message>
        <source>with two objects of the class side by side</source>
        <translation>同时使用该类的两个对象时</translation>
    </message>
    <message>
        <source>with a second object for the same parameters</source>
        <translation>为同样的参数再建一个对象时</translation>
    </message>
    <message>
        <source>where some gradients are large and some tiny</source>
        <translation>当有些梯度很大、有些极小时</translation>
    </message>
    <message>
        <source>where some gradients are 0</source>
        <translation>当有些梯度为 0 时</translation>
    </message>
    <message>
        <source>where parameter %1 has no gradient in some steps</source>
        <translation>当参数 %1 在某些步没有梯度时</translation>
    </message>
    <message>
        <source>an object&apos;s state or settings are those of another object too: they are kept on the class, in a global or on the parameter</source>
        <translation>一个对象的状态或设置也成了另一个对象的：它们保存在类、全局变量或参数上</translation>
    </message>
    <message>
        <source>an argument of 0 is taken for a missing one, or is refused</source>
        <translation>值为 0 的参数被当作没有给出，或被拒绝</translation>
    </message>
    <message>
        <source>large gradients are clipped, or tiny ones are taken for 0</source>
        <translation>很大的梯度被截断，或极小的梯度被当作 0</translation>
    </message>
    <message>
        <source>where a grad is None, the state goes wrong: it belongs to its parameter, begins with its first gradient and waits where there is none</source>
        <translation>grad 为 None 时状态出错：状态属于各自的参数，从第一个梯度开始，没有梯度时保持不变</translation>
    </message>
    <message>
        <source>rank %1: the tensor of %2 changes before the call has ended</source>
        <translation>rank %1：%2 的张量在调用结束之前就被修改了</translation>
    </message>
    <message>
        <source>the tensor of a call with async_op=True, or of irecv, is used before wait()</source>
        <translation>在 wait() 之前就使用了 async_op=True 的调用或 irecv 的张量</translation>
    </message>
    <message>
        <source>the chart draws no figure %1</source>
        <translation>该图表不绘制指标 %1</translation>
    </message>
    <message>
        <source>each needs either a chart or a table</source>
        <translation>每一项需要一个图表或一个表格，二者取一</translation>
    </message>
    <message>
        <source>there is no chart %1; did you mean %2?</source>
        <translation>没有图表 %1；是否指 %2？</translation>
    </message>
    <message>
        <source>it needs about: the experiment step whose runs they show</source>
        <translation>需要 about：这些图表所显示的运行所属的实验步骤</translation>
    </message>
    <message>
        <source>ended: too many processes and threads (at most %1)</source>
        <translation>已结束：进程和线程过多（最多 %1 个）</translation>
    </message>
    <message>
        <source>Qt cannot open a window: %1; lockstep --help lists what works without one</source>
        <translation>Qt 无法打开窗口：%1；lockstep --help 列出无需窗口的功能</translation>
    </message>
    <message>
        <source>the second circle begins with a piece that is not complete: begin with the one that was added to last</source>
        <translation>第二圈从不完整的一块开始：应从最后加上的那一块开始</translation>
    </message>
    <message>
        <source>the tensor is cut into fewer than n pieces, as chunk(n) may do: tensor_split(n) gives n</source>
        <translation>张量切成的块少于 n 个，chunk(n) 就可能如此：tensor_split(n) 得到 n 块</translation>
    </message>
    <message>
        <source>the mean is taken of two at a time, so that the last rank counts most: divide the sum by n</source>
        <translation>每次只对两个取平均，最后一个 rank 的权重因此最大：应把总和除以 n</translation>
    </message>
    <message>
        <source>a gradient of 0 is skipped where another rank has none of 0: the collectives must not depend on values</source>
        <translation>本 rank 的梯度为 0 就跳过，而其他 rank 的不为 0：调用哪些集合通信不能取决于数值</translation>
    </message>
    <message>
        <source>some parameters keep their own gradients: average all whose grad is not None</source>
        <translation>有些参数仍是自己的梯度：凡 grad 不为 None 的都要取平均</translation>
    </message>
    <message>
        <source>after eval() and under torch.no_grad()</source>
        <translation>在 eval() 之后、torch.no_grad() 之下</translation>
    </message>
    <message>
        <source>y must be the same in evaluation, and without gradients</source>
        <translation>评估时、不求梯度时，y 也必须相同</translation>
    </message>
    <message>
        <source>where x has another shape than before</source>
        <translation>x 的形状与之前不同时</translation>
    </message>
    <message>
        <source>sizes or buffers of an earlier x are kept: each call may have another shape</source>
        <translation>保留了以前的 x 的大小或缓冲区：每次调用的形状可以不同</translation>
    </message>
    <message>
        <source>where the same x is used twice</source>
        <translation>同一个 x 用两次时</translation>
    </message>
    <message>
        <source>two calls with one x disturb each other: keep nothing in the layer or on x</source>
        <translation>对同一个 x 的两次调用互相干扰：不要在层中或 x 上保留任何东西</translation>
    </message>
    <message>
        <source>x.grad is summed over the ranks more than once, as by a hook on x itself, which later calls add to</source>
        <translation>x.grad 对各 rank 求和不止一次，例如钩子注册在 x 本身上，以后的调用又会增加</translation>
    </message>
    <message>
        <source>the rank keeps every n-th row: it needs rows one after another</source>
        <translation>该 rank 每隔 n 行取一行：应取相邻的各行</translation>
    </message>
    <message>
        <source>the gradient does not reach x: it is detached, or a backward returns None for it</source>
        <translation>梯度传不到 x：它被 detach，或 backward 对它返回 None</translation>
    </message>
    <message>
        <source>net %1 has parameters of net %2 on rank %3</source>
        <translation>网络 %1 的参数是网络 %2 在 rank %3 上的参数</translation>
    </message>
    <message>
        <source>a second net in the same processes gets a half of the first one, as from a global or the class: each TwoHalves makes its own</source>
        <translation>同样进程中的第二个网络得到的是第一个网络的一半，例如来自全局变量或类属性：每个 TwoHalves 都要创建自己的</translation>
    </message>
    <message>
        <source>the output has the shape %1 instead of %2</source>
        <translation>输出的形状是 %1，应为 %2</translation>
    </message>
    <message>
        <source>the output has a row for each row of x and a column for each output, also where that is one</source>
        <translation>输出的行数与 x 相同，每个输出占一列，只有一个输出时也是如此</translation>
    </message>
    <message>
        <source>net %1 in the same processes</source>
        <translation>同样进程中的网络 %1</translation>
    </message>
    <message>
        <source>zero_grad leaves a gradient whose elements are %1</source>
        <translation>zero_grad 没有清除元素为 %1 的梯度</translation>
    </message>
    <message>
        <source>zero_grad keeps some gradients: clear each, whatever is in it</source>
        <translation>zero_grad 保留了某些梯度：无论其中是什么值，都要清除</translation>
    </message>
    <message>
        <source>0 times inf or nan is nan: fill the gradient with zeros</source>
        <translation>0 乘 inf 或 nan 得 nan：应把梯度填零</translation>
    </message>
    <message>
        <source>with seed 0</source>
        <translation>seed 为 0 时</translation>
    </message>
    <message>
        <source>seed 0 is taken for a missing one, or it is multiplied by the epoch</source>
        <translation>把 seed 0 当作没有给出，或者把它与 epoch 相乘</translation>
    </message>
    <message>
        <source>the code knows the labels beforehand: they may be any whole numbers, not 0 to 9 alone</source>
        <translation>代码预先假定了有哪些标签：标签可以是任意整数，不限于 0 到 9</translation>
    </message>
    <message>
        <source>the order depends on the process, such as hash() of a text, id(), the time or the seed of the global generator, not on seed and epoch alone</source>
        <translation>次序取决于进程，例如文本的 hash()、id()、时间或全局生成器的种子，而不是只取决于 seed 和 epoch</translation>
    </message>
    <message>
        <source>seed %1 gives the same order</source>
        <translation>seed %1 给出相同的次序</translation>
    </message>
    <message>
        <source>the list has parameters themselves: put each into an rpc.RRef, on the rank that has the parameter</source>
        <translation>列表中是参数本身：应在拥有该参数的 rank 上为每个参数创建 rpc.RRef</translation>
    </message>
    <message>
        <source>m and v are the same tensors: each needs its own</source>
        <translation>m 和 v 是同一组张量：应各有各的张量</translation>
    </message>
    <message>
        <source>where parameters %1 and %2 start equal</source>
        <translation>参数 %1 和 %2 的初值相等时</translation>
    </message>
    <message>
        <source>where zero_grad and backward are called never, once or more often before a step</source>
        <translation>在一步之前，zero_grad 和 backward 一次不调用、调用一次或多次时</translation>
    </message>
    <message>
        <source>where parameters are not contiguous</source>
        <translation>参数不连续时</translation>
    </message>
    <message>
        <source>where gradients are inf or nan</source>
        <translation>梯度为 inf 或 nan 时</translation>
    </message>
    <message>
        <source>parameters are told apart by their values: equal ones are still two</source>
        <translation>按数值区分参数：数值相等的仍是两个参数</translation>
    </message>
    <message>
        <source>t or the state depends on how often zero_grad or backward is called, or on the tensor in grad: it changes in step alone</source>
        <translation>t 或状态取决于 zero_grad 或 backward 的调用次数，或取决于 grad 是哪个张量：它们只应在 step 中改变</translation>
    </message>
    <message>
        <source>reshape, flatten and contiguous copy a parameter that is not contiguous, and view fails: change the parameter itself</source>
        <translation>参数不连续时，reshape、flatten 和 contiguous 得到副本，view 则出错：应修改参数本身</translation>
    </message>
    <message>
        <source>gradients of inf or nan are skipped or replaced: the weights must show them</source>
        <translation>跳过或替换了 inf 或 nan 的梯度：它们应反映在权重中</translation>
    </message>
</context>
<context>
    <name>NetPanel</name>
    <message>
        <source>Net of %1</source>
        <translation>%1 的网络</translation>
    </message>
</context>
<context>
    <name>NetPicture</name>
    <message>
        <source>linear</source>
        <translation>线性层</translation>
    </message>
    <message>
        <source>convolution</source>
        <translation>卷积层</translation>
    </message>
    <message>
        <source>embedding</source>
        <translation>嵌入层</translation>
    </message>
    <message>
        <source>block</source>
        <translation>Transformer 块</translation>
    </message>
    <message>
        <source>head</source>
        <translation>输出头</translation>
    </message>
    <message>
        <source>padding</source>
        <translation>填充</translation>
    </message>
    <message>
        <source>Only your own program knows its net.</source>
        <translation>网络只有自己的程序知道。</translation>
    </message>
</context>
<context>
    <name>NetView</name>
    <message>
        <source>Stage %1, %2 ranks</source>
        <translation>阶段 %1，%2 个 rank</translation>
    </message>
    <message>
        <source>Rank %1</source>
        <translation>Rank %1</translation>
    </message>
    <message>
        <source>%1, part %2 of %3</source>
        <translation>%1，第 %2 / %3 部分</translation>
    </message>
    <message>
        <source>sends %1</source>
        <translation>发送 %1</translation>
    </message>
    <message>
        <source>Layer</source>
        <translation>层</translation>
    </message>
    <message>
        <source>Parameters</source>
        <translation>参数量</translation>
    </message>
    <message>
        <source>FLOPs per sample</source>
        <translation>每个样本的 FLOPs</translation>
    </message>
    <message numerus="yes">
        <source>Output, %n sample(s)</source>
        <translation>
            <numerusform>输出（%n 个样本）</numerusform>
        </translation>
    </message>
    <message>
        <source>Output, one sample</source>
        <translation>输出（一个样本）</translation>
    </message>
    <message numerus="yes">
        <source>%1: %n layer(s), %2 % of the FLOPs</source>
        <translation>
            <numerusform>%1：%n 层，占 FLOPs 的 %2 %</numerusform>
        </translation>
    </message>
    <message>
        <source>each sends %1</source>
        <translation>各发送 %1</translation>
    </message>
    <message numerus="yes">
        <source>Rank&apos;s output, %n sample(s)</source>
        <translation>
            <numerusform>每个 rank 的输出（%n 个样本）</numerusform>
        </translation>
    </message>
    <message>
        <source>Rank&apos;s output, one sample</source>
        <translation>每个 rank 的输出（一个样本）</translation>
    </message>
</context>
<context>
    <name>ParameterCharts</name>
    <message>
        <source>Points at one value are drawn side by side</source>
        <translation>同一取值处的点并排画出</translation>
    </message>
    <message>
        <source>on</source>
        <translation>开</translation>
    </message>
    <message>
        <source>off</source>
        <translation>关</translation>
    </message>
    <message>
        <source>One seed per setting, so no intervals</source>
        <translation>每种设置只有一个随机种子，没有置信区间</translation>
    </message>
    <message>
        <source>Mean over %1 seeds with its 95 % CI</source>
        <translation>%1 个随机种子的均值及其 95% 置信区间</translation>
    </message>
    <message>
        <source>Mean over %1 to %2 seeds with its 95 % CI</source>
        <translation>%1 至 %2 个随机种子的均值及其 95% 置信区间</translation>
    </message>
    <message>
        <source>Changes together with %1: %2</source>
        <translation>与 %1 一同变化：%2</translation>
    </message>
    <message>
        <source>, </source>
        <comment>between names</comment>
        <translation>、</translation>
    </message>
    <message>
        <source>Unfinished runs left out: %1</source>
        <translation>未计入的未完成运行：%1</translation>
    </message>
    <message>
        <source>Runs changed by hand left out: %1</source>
        <translation>未计入的受人工干预的运行：%1</translation>
    </message>
    <message>
        <source>%1 %2</source>
        <comment>parameter and value</comment>
        <translation>%1 %2</translation>
    </message>
    <message>
        <source>%1 by %2 and %3</source>
        <comment>figure, two parameters</comment>
        <translation>%1（按%2与%3）</translation>
    </message>
    <message>
        <source>%1 by %2</source>
        <comment>figure, parameter</comment>
        <translation>%1（按%2）</translation>
    </message>
    <message>
        <source>not run</source>
        <translation>未运行</translation>
    </message>
    <message>
        <source>%1: pale %2 to strong %3</source>
        <translation>%1：由浅 %2 到深 %3</translation>
    </message>
</context>
<context>
    <name>Parameters</name>
    <message>
        <source>Data</source>
        <translation>数据</translation>
    </message>
    <message>
        <source>Data set</source>
        <translation>数据集</translation>
    </message>
    <message>
        <source>For ranks on several hosts: an all-reduce uses shared memory within each host and Gloo between one rank per host. On one host, it is the same as shared memory.</source>
        <translation>用于分布在多台主机上的 rank：全归约在每台主机内使用共享内存，在主机之间由每台主机的一个 rank 使用 Gloo。只有一台主机时与共享内存相同。</translation>
    </message>
    <message>
        <source>Hierarchical</source>
        <translation>分层</translation>
    </message>
    <message>
        <source>The data set to train on. Digits are generated and need no download.</source>
        <translation>训练所用的数据集。内置数字由程序生成，无需下载。</translation>
    </message>
    <message>
        <source>Digits (built in)</source>
        <translation>手写数字（内置）</translation>
    </message>
    <message>
        <source>Generated images of handwritten-style digits, 28 x 28.</source>
        <translation>生成的手写风格数字图像，28 x 28。</translation>
    </message>
    <message>
        <source>MNIST</source>
        <translation>MNIST</translation>
    </message>
    <message>
        <source>Handwritten digits, 28 x 28; downloaded once.</source>
        <translation>真实的手写数字，28 x 28；只需下载一次。</translation>
    </message>
    <message>
        <source>CIFAR-10</source>
        <translation>CIFAR-10</translation>
    </message>
    <message>
        <source>Colour photographs of ten classes, 3 x 32 x 32, in the binary version of the files.</source>
        <translation>十个类别的彩色照片，3 x 32 x 32，采用二进制版本的文件。</translation>
    </message>
    <message>
        <source>IDX folder</source>
        <translation>IDX 文件夹</translation>
    </message>
    <message>
        <source>Folder</source>
        <translation>文件夹</translation>
    </message>
    <message>
        <source>Training samples</source>
        <translation>训练样本数</translation>
    </message>
    <message>
        <source>Number of training samples; 0 uses all of them (8,000 digits).</source>
        <translation>训练样本的数量；0 表示全部（内置数字为 8,000 个）。</translation>
    </message>
    <message>
        <source>samples</source>
        <translation>个样本</translation>
    </message>
    <message>
        <source>Test samples</source>
        <translation>测试样本数</translation>
    </message>
    <message>
        <source>Number of test samples; 0 uses all of them (2,000 digits).</source>
        <translation>测试样本的数量；0 表示全部（内置数字为 2,000 个）。</translation>
    </message>
    <message>
        <source>Data seed</source>
        <translation>数据种子</translation>
    </message>
    <message>
        <source>Seed of the digit generator: another seed gives other digits.</source>
        <translation>数字生成器的种子：换一个种子会生成另一批数字。</translation>
    </message>
    <message>
        <source>Net</source>
        <translation>网络</translation>
    </message>
    <message>
        <source>The model to train.</source>
        <translation>要训练的模型。</translation>
    </message>
    <message>
        <source>Logistic regression</source>
        <translation>逻辑回归</translation>
    </message>
    <message>
        <source>A single linear layer: the simplest classifier.</source>
        <translation>单个线性层：最简单的分类器。</translation>
    </message>
    <message>
        <source>MLP</source>
        <translation>MLP</translation>
    </message>
    <message>
        <source>Two linear layers with a ReLU between them.</source>
        <translation>两个线性层，中间是 ReLU。</translation>
    </message>
    <message>
        <source>CNN</source>
        <translation>CNN</translation>
    </message>
    <message>
        <source>Two convolutional layers with pooling and two linear layers: slower but more accurate.</source>
        <translation>两个带池化的卷积层和两个线性层：更慢，但更准确。</translation>
    </message>
    <message>
        <source>Hidden units</source>
        <translation>隐藏单元数</translation>
    </message>
    <message>
        <source>Optimizer</source>
        <translation>优化器</translation>
    </message>
    <message>
        <source>The algorithm that updates the weights from the gradient.</source>
        <translation>根据梯度更新权重的算法。</translation>
    </message>
    <message>
        <source>GD</source>
        <translation>GD</translation>
    </message>
    <message>
        <source>Gradient descent: every step uses the gradient of the whole training set.</source>
        <translation>梯度下降：每一步都使用整个训练集的梯度。</translation>
    </message>
    <message>
        <source>SGD</source>
        <translation>SGD</translation>
    </message>
    <message>
        <source>Stochastic gradient descent: every step uses a mini-batch.</source>
        <translation>随机梯度下降：每一步只用一个小批次。</translation>
    </message>
    <message>
        <source>Momentum</source>
        <translation>动量</translation>
    </message>
    <message>
        <source>SGD that keeps part of the previous step&apos;s direction.</source>
        <translation>保留上一步部分方向的 SGD。</translation>
    </message>
    <message>
        <source>Nesterov</source>
        <translation>Nesterov</translation>
    </message>
    <message>
        <source>Momentum that looks ahead before it applies the gradient.</source>
        <translation>先沿动量方向向前看一步、再应用梯度的动量法。</translation>
    </message>
    <message>
        <source>Adam</source>
        <translation>Adam</translation>
    </message>
    <message>
        <source>Scales each weight&apos;s step by running averages of its gradient and squared gradient.</source>
        <translation>用梯度及其平方的滑动平均调整每个权重的步长。</translation>
    </message>
    <message>
        <source>AdamW</source>
        <translation>AdamW</translation>
    </message>
    <message>
        <source>Adam with decoupled weight decay.</source>
        <translation>权重衰减与梯度解耦的 Adam。</translation>
    </message>
    <message>
        <source>Schedule</source>
        <translation>学习率调度</translation>
    </message>
    <message>
        <source>How the learning rate changes during training.</source>
        <translation>学习率在训练过程中如何变化。</translation>
    </message>
    <message>
        <source>Constant</source>
        <translation>恒定</translation>
    </message>
    <message>
        <source>The learning rate does not change.</source>
        <translation>学习率始终不变。</translation>
    </message>
    <message>
        <source>Steps</source>
        <translation>步数</translation>
    </message>
    <message>
        <source>Multiplied by a factor every few epochs.</source>
        <translation>每隔若干轮乘以一个系数。</translation>
    </message>
    <message>
        <source>Cosine annealing</source>
        <translation>余弦退火</translation>
    </message>
    <message>
        <source>Falls to zero along half a cosine.</source>
        <translation>沿半个余弦周期降到零。</translation>
    </message>
    <message>
        <source>Decay every</source>
        <translation>衰减间隔</translation>
    </message>
    <message>
        <source>Epochs between two changes of the learning rate.</source>
        <translation>两次调整学习率之间的轮数。</translation>
    </message>
    <message>
        <source>epochs</source>
        <translation>轮</translation>
    </message>
    <message>
        <source>Decay factor</source>
        <translation>衰减系数</translation>
    </message>
    <message>
        <source>The factor that each change multiplies the learning rate by.</source>
        <translation>每次调整时学习率乘以的系数。</translation>
    </message>
    <message>
        <source>Warm-up</source>
        <translation>预热</translation>
    </message>
    <message>
        <source>Steps over which the learning rate rises from near zero to its full value.</source>
        <translation>学习率从接近零升到设定值所用的步数。</translation>
    </message>
    <message>
        <source>steps</source>
        <translation>步</translation>
    </message>
    <message>
        <source>Learning rate</source>
        <translation>学习率</translation>
    </message>
    <message>
        <source>Step size. Too small trains slowly; too large makes the loss grow.</source>
        <translation>更新的步长。太小则训练慢，太大则损失反而上升。</translation>
    </message>
    <message>
        <source>Fraction of the previous step&apos;s direction that is kept.</source>
        <translation>保留上一步方向的比例。</translation>
    </message>
    <message>
        <source>Beta 1</source>
        <translation>Beta 1</translation>
    </message>
    <message>
        <source>Decay rate of the running average of the gradient.</source>
        <translation>梯度滑动平均的衰减率。</translation>
    </message>
    <message>
        <source>Beta 2</source>
        <translation>Beta 2</translation>
    </message>
    <message>
        <source>Decay rate of the running average of the squared gradient.</source>
        <translation>梯度平方滑动平均的衰减率。</translation>
    </message>
    <message>
        <source>Epsilon</source>
        <translation>Epsilon</translation>
    </message>
    <message>
        <source>Small term added to the denominator for numerical stability.</source>
        <translation>加在分母上的小常数，用于保证数值稳定。</translation>
    </message>
    <message>
        <source>Weight decay</source>
        <translation>权重衰减</translation>
    </message>
    <message>
        <source>Pulls the weights towards zero; 0 turns it off.</source>
        <translation>把权重拉向零；0 表示关闭。</translation>
    </message>
    <message>
        <source>Gradient clipping</source>
        <translation>梯度裁剪</translation>
    </message>
    <message>
        <source>Maximum 2-norm of the gradient; 0 turns clipping off.</source>
        <translation>梯度 2-范数的上限；0 表示不裁剪。</translation>
    </message>
    <message>
        <source>Ranks</source>
        <translation>rank 数</translation>
    </message>
    <message>
        <source>Strategy</source>
        <translation>策略</translation>
    </message>
    <message>
        <source>What is split across the ranks.</source>
        <translation>在各个 rank 之间切分什么。</translation>
    </message>
    <message>
        <source>Single process</source>
        <translation>单进程</translation>
    </message>
    <message>
        <source>Nothing is split: one rank does all the work.</source>
        <translation>不切分：由一个 rank 完成全部计算。</translation>
    </message>
    <message>
        <source>ranks</source>
        <translation>个 rank</translation>
    </message>
    <message>
        <source>Device</source>
        <translation>设备</translation>
    </message>
    <message>
        <source>Threads per rank</source>
        <translation>每个 rank 的线程数</translation>
    </message>
    <message>
        <source>CPU threads that each rank computes with.</source>
        <translation>每个 rank 计算时使用的 CPU 线程数。</translation>
    </message>
    <message>
        <source>threads</source>
        <translation>个线程</translation>
    </message>
    <message>
        <source>Training</source>
        <translation>训练</translation>
    </message>
    <message>
        <source>Epochs</source>
        <translation>轮数</translation>
    </message>
    <message>
        <source>Number of passes over the training set.</source>
        <translation>遍历整个训练集的次数。</translation>
    </message>
    <message>
        <source>Batch size</source>
        <translation>批大小</translation>
    </message>
    <message>
        <source>Stop after this many steps; 0 uses epochs.</source>
        <translation>训练这么多步后停止；0 表示按轮次。</translation>
    </message>
    <message>
        <source>Seed</source>
        <translation>随机种子</translation>
    </message>
    <message>
        <source>Equal seeds give equal weights, batches and losses.</source>
        <translation>种子相同，则权重、批次和损失都相同。</translation>
    </message>
    <message>
        <source>Data type</source>
        <translation>数据类型</translation>
    </message>
    <message>
        <source>The data type that the net computes with.</source>
        <translation>网络计算所用的数据类型。</translation>
    </message>
    <message>
        <source>float32</source>
        <translation>float32</translation>
    </message>
    <message>
        <source>Single precision, the usual choice.</source>
        <translation>单精度，通常的选择。</translation>
    </message>
    <message>
        <source>float64</source>
        <translation>float64</translation>
    </message>
    <message>
        <source>Double precision: slower, for exact comparisons.</source>
        <translation>双精度：较慢，用于精确比较。</translation>
    </message>
    <message>
        <source>Evaluate every</source>
        <translation>评估间隔</translation>
    </message>
    <message>
        <source>Log every</source>
        <translation>日志间隔</translation>
    </message>
    <message>
        <source>Steps between two log lines.</source>
        <translation>两行日志之间的步数。</translation>
    </message>
    <message>
        <source>Take turns</source>
        <translation>轮流运行</translation>
    </message>
    <message>
        <source>Measure at most</source>
        <translation>最长测量时间</translation>
    </message>
    <message>
        <source>Maximum total time that the runs of a comparison are measured after their last steps; measuring ends once each difference in time is known to 5 %. Recorded and saved results do not change.</source>
        <translation>一次比较中的各次运行在最后一步之后继续测量的总时间上限；每个时间差的精度达到 5 % 时即结束测量。已记录和已保存的结果不变。</translation>
    </message>
    <message>
        <source>Backend</source>
        <translation>后端</translation>
    </message>
    <message>
        <source>The library that carries messages between ranks.</source>
        <translation>在 rank 之间传递消息的通信库。</translation>
    </message>
    <message>
        <source>Automatic</source>
        <translation>自动</translation>
    </message>
    <message>
        <source>The fastest backend that works here; the log says which one and why.</source>
        <translation>此处可用的最快后端；日志会说明是哪一个以及原因。</translation>
    </message>
    <message>
        <source>Shared memory</source>
        <translation>共享内存</translation>
    </message>
    <message>
        <source>Gloo</source>
        <translation>Gloo</translation>
    </message>
    <message>
        <source>PyTorch&apos;s CPU backend over TCP, as torch.distributed uses it.</source>
        <translation>PyTorch 基于 TCP 的 CPU 后端，与 torch.distributed 所用相同。</translation>
    </message>
    <message>
        <source>Timeout</source>
        <translation>超时时间</translation>
    </message>
    <message>
        <source>s</source>
        <translation>s</translation>
    </message>
    <message>
        <source>Check every call</source>
        <translation>检查每次调用</translation>
    </message>
    <message>
        <source>Compares sizes and data types between ranks at every call; shared memory always does.</source>
        <translation>每次调用都在 rank 之间比较大小和数据类型；共享内存总是如此。</translation>
    </message>
    <message>
        <source>Algorithm</source>
        <translation>算法</translation>
    </message>
    <message>
        <source>How the ranks combine their arrays into one.</source>
        <translation>各个 rank 如何把数组合成一个。</translation>
    </message>
    <message>
        <source>All-reduce</source>
        <translation>全归约（all-reduce）</translation>
    </message>
    <message>
        <source>The backend&apos;s own all-reduce.</source>
        <translation>后端自带的全归约。</translation>
    </message>
    <message>
        <source>Reduce + broadcast</source>
        <translation>归约 + 广播</translation>
    </message>
    <message>
        <source>Rank 0 receives the sum and broadcasts it.</source>
        <translation>rank 0 得到总和，再广播出去。</translation>
    </message>
    <message>
        <source>Gather + broadcast</source>
        <translation>收集 + 广播</translation>
    </message>
    <message>
        <source>Rank 0 gathers all arrays, sums them and broadcasts the result.</source>
        <translation>rank 0 收集所有数组，求和后广播结果。</translation>
    </message>
    <message>
        <source>All-gather</source>
        <translation>全收集（all-gather）</translation>
    </message>
    <message>
        <source>Every rank gathers all arrays and sums them itself.</source>
        <translation>每个 rank 收集所有数组，各自求和。</translation>
    </message>
    <message>
        <source>Reduce-scatter + all-gather</source>
        <translation>归约散射 + 全收集</translation>
    </message>
    <message>
        <source>Each rank sums one part; then the ranks exchange the parts.</source>
        <translation>每个 rank 对一部分求和，然后交换各部分。</translation>
    </message>
    <message>
        <source>Ring</source>
        <translation>环形</translation>
    </message>
    <message>
        <source>Chunks travel around a ring twice: fewest bytes, most messages.</source>
        <translation>数据块绕环两圈：字节最少，消息最多。</translation>
    </message>
    <message>
        <source>Tree</source>
        <translation>树形</translation>
    </message>
    <message>
        <source>Sums travel up a binomial tree and back down: few messages, whole arrays.</source>
        <translation>部分和沿二项树上行，总和再下行：消息少，但每次传整个数组。</translation>
    </message>
    <message>
        <source>Halving-doubling</source>
        <translation>递归折半倍增</translation>
    </message>
    <message>
        <source>Partners exchange halves recursively: few messages and few bytes.</source>
        <translation>两两交换逐次减半的数据：消息少，字节也少。</translation>
    </message>
    <message>
        <source>Parameter server</source>
        <translation>参数服务器</translation>
    </message>
    <message>
        <source>All ranks send to rank 0 and wait for its answer.</source>
        <translation>所有 rank 发给 rank 0 并等待应答。</translation>
    </message>
    <message>
        <source>Parameter server, asynchronous</source>
        <translation>参数服务器（异步）</translation>
    </message>
    <message>
        <source>Rank 0 applies each gradient on arrival; fast ranks do not wait for slow ones.</source>
        <translation>rank 0 每收到一个梯度就立即应用；快的 rank 不必等待慢的 rank。</translation>
    </message>
    <message>
        <source>Aggregation</source>
        <translation>梯度聚合</translation>
    </message>
    <message>
        <source>Rule</source>
        <translation>规则</translation>
    </message>
    <message>
        <source>How the ranks&apos; arrays are combined, element by element.</source>
        <translation>各 rank 的数组如何逐元素合并。</translation>
    </message>
    <message>
        <source>Mean</source>
        <translation>平均</translation>
    </message>
    <message>
        <source>Every rank counts equally.</source>
        <translation>每个 rank 权重相同。</translation>
    </message>
    <message>
        <source>Weighted mean</source>
        <translation>加权平均</translation>
    </message>
    <message>
        <source>Ranks count by their number of samples: exact for unequal shares, too.</source>
        <translation>按样本数加权：份额不等时也精确。</translation>
    </message>
    <message>
        <source>Sum</source>
        <translation>求和</translation>
    </message>
    <message>
        <source>The mean times the number of ranks: acts like a larger learning rate.</source>
        <translation>平均值乘以 rank 数：相当于使用更大的学习率。</translation>
    </message>
    <message>
        <source>Median</source>
        <translation>中位数</translation>
    </message>
    <message>
        <source>The middle value: ignores outliers. Needs all arrays in one place.</source>
        <translation>取中间值：不受离群值影响。需要所有数组集中在一处。</translation>
    </message>
    <message>
        <source>Trimmed mean</source>
        <translation>截尾均值</translation>
    </message>
    <message>
        <source>The mean without the largest and smallest values. Needs all arrays in one place.</source>
        <translation>去掉最大和最小值后的平均。需要所有数组集中在一处。</translation>
    </message>
    <message>
        <source>Trimmed fraction</source>
        <translation>截尾比例</translation>
    </message>
    <message>
        <source>Fraction of the ranks discarded at each end.</source>
        <translation>两端各去掉的 rank 比例。</translation>
    </message>
    <message>
        <source>What is aggregated</source>
        <translation>聚合内容</translation>
    </message>
    <message>
        <source>Gradients in every step, or weights every few steps.</source>
        <translation>每步聚合梯度，或每隔若干步聚合权重。</translation>
    </message>
    <message>
        <source>Gradients</source>
        <translation>梯度</translation>
    </message>
    <message>
        <source>In every step: all ranks keep the same weights.</source>
        <translation>每一步：所有 rank 的权重保持一致。</translation>
    </message>
    <message>
        <source>Weights</source>
        <translation>权重</translation>
    </message>
    <message>
        <source>Ranks train independently and average their weights (local SGD).</source>
        <translation>各 rank 独立训练，再平均权重（local SGD）。</translation>
    </message>
    <message>
        <source>Average every</source>
        <translation>平均间隔</translation>
    </message>
    <message>
        <source>Staleness</source>
        <translation>陈旧度</translation>
    </message>
    <message>
        <source>How many steps the fastest rank may be ahead of the slowest.</source>
        <translation>最快的 rank 最多可以领先最慢的 rank 多少步。</translation>
    </message>
    <message>
        <source>Stragglers</source>
        <translation>慢节点</translation>
    </message>
    <message>
        <source>Ranks whose computation is slowed down, such as 1,3; empty means all.</source>
        <translation>计算被放慢的 rank，例如 1,3；留空表示全部。</translation>
    </message>
    <message>
        <source>Extra time per step</source>
        <translation>每步附加延时</translation>
    </message>
    <message>
        <source>How long the stragglers sleep in every step.</source>
        <translation>慢节点每步休眠的时间。</translation>
    </message>
    <message>
        <source>ms</source>
        <translation>ms</translation>
    </message>
    <message>
        <source>Slowdown factor</source>
        <translation>人为减慢倍数</translation>
    </message>
    <message>
        <source>The stragglers&apos; computation takes this many times as long; 1 leaves it unchanged.</source>
        <translation>慢节点的计算时间变为这么多倍；1 表示不变。</translation>
    </message>
    <message>
        <source>Ranks with a slow link</source>
        <translation>慢链路的 rank</translation>
    </message>
    <message>
        <source>Ranks whose messages are slowed down, such as 0,2; empty means all.</source>
        <translation>消息被放慢的 rank，例如 0,2；留空表示全部。</translation>
    </message>
    <message>
        <source>Link latency</source>
        <translation>链路延迟</translation>
    </message>
    <message>
        <source>Extra time per message; with an emulated link, collectives are built from point-to-point messages.</source>
        <translation>每条消息的额外时间；设置模拟链路后，集合通信由点对点消息组成。</translation>
    </message>
    <message>
        <source>µs</source>
        <translation>µs</translation>
    </message>
    <message>
        <source>Link bandwidth</source>
        <translation>链路带宽</translation>
    </message>
    <message>
        <source>How much a link carries per second; 0 means no limit.</source>
        <translation>链路每秒可传输的数据量；0 表示不限。</translation>
    </message>
    <message>
        <source>Mbit/s</source>
        <translation>Mbit/s</translation>
    </message>
    <message>
        <source>Verify</source>
        <translation>验证</translation>
    </message>
    <message>
        <source>After training, one process repeats the same plan without communication, and the losses are compared. In float32 it also repeats the plan with three other summation orders, to show how far rounding alone makes losses diverge. The order in which an asynchronous parameter server receives gradients cannot be reproduced.</source>
        <translation>训练结束后，由一个进程不经通信执行同样的计划，并比较损失。在 float32 下还会按另外三种求和顺序各执行一遍，以显示仅舍入误差就能使损失相差多少。异步参数服务器收到梯度的次序无法重现。</translation>
    </message>
    <message>
        <source>Steps to verify</source>
        <translation>验证步数</translation>
    </message>
    <message>
        <source>Rounding errors grow from step to step, so only the first steps are compared; 0 compares all.</source>
        <translation>舍入误差逐步增长，所以只比较前若干步；0 表示全部比较。</translation>
    </message>
    <message>
        <source>Data parallel</source>
        <translation>数据并行</translation>
    </message>
    <message>
        <source>Every rank holds the whole net and processes part of each batch.</source>
        <translation>每个 rank 持有整个网络，处理每个批次的一部分。</translation>
    </message>
    <message>
        <source>Collectives only (no training)</source>
        <translation>仅集合通信（不训练）</translation>
    </message>
    <message>
        <source>The ranks measure how long communication takes.</source>
        <translation>各 rank 测量通信需要多长时间。</translation>
    </message>
    <message>
        <source>Bind to cores</source>
        <translation>绑定核心</translation>
    </message>
    <message>
        <source>Sweep</source>
        <translation>扫描</translation>
    </message>
    <message>
        <source>Collective</source>
        <translation>集合通信</translation>
    </message>
    <message>
        <source>The operation to measure.</source>
        <translation>要测量的操作。</translation>
    </message>
    <message>
        <source>Every rank gets the reduction of all arrays.</source>
        <translation>每个 rank 得到所有数组的归约结果。</translation>
    </message>
    <message>
        <source>Broadcast</source>
        <translation>广播</translation>
    </message>
    <message>
        <source>Reduce</source>
        <translation>归约</translation>
    </message>
    <message>
        <source>Gather</source>
        <translation>收集</translation>
    </message>
    <message>
        <source>Every rank gets all arrays.</source>
        <translation>每个 rank 得到所有数组。</translation>
    </message>
    <message>
        <source>Scatter</source>
        <translation>散发</translation>
    </message>
    <message>
        <source>Reduce-scatter</source>
        <translation>归约散射</translation>
    </message>
    <message>
        <source>Every rank gets one part of the reduction of all arrays.</source>
        <translation>每个 rank 得到归约结果的一部分。</translation>
    </message>
    <message>
        <source>All-to-all</source>
        <translation>全交换（all-to-all）</translation>
    </message>
    <message>
        <source>Every rank gets one part of every rank&apos;s array.</source>
        <translation>每个 rank 得到每个 rank 数组的一部分。</translation>
    </message>
    <message>
        <source>Barrier</source>
        <translation>屏障</translation>
    </message>
    <message>
        <source>Every rank waits for all others.</source>
        <translation>每个 rank 等待所有其他 rank。</translation>
    </message>
    <message>
        <source>Send and receive</source>
        <translation>发送与接收</translation>
    </message>
    <message>
        <source>Every rank sends to the next rank and receives from the previous one.</source>
        <translation>每个 rank 发给下一个 rank，并从上一个 rank 接收。</translation>
    </message>
    <message>
        <source>Minimum size</source>
        <translation>最小消息</translation>
    </message>
    <message>
        <source>Size of the smallest arrays in the sweep.</source>
        <translation>扫描中最小数组的大小。</translation>
    </message>
    <message>
        <source>bytes</source>
        <translation>字节</translation>
    </message>
    <message>
        <source>Maximum size</source>
        <translation>最大消息</translation>
    </message>
    <message>
        <source>Size of the largest arrays in the sweep.</source>
        <translation>扫描中最大数组的大小。</translation>
    </message>
    <message>
        <source>Step factor</source>
        <translation>步进倍数</translation>
    </message>
    <message>
        <source>The factor between one size and the next.</source>
        <translation>相邻两个大小之间的倍数。</translation>
    </message>
    <message>
        <source>Iterations</source>
        <translation>迭代次数</translation>
    </message>
    <message>
        <source>Timed iterations at the minimum size; larger sizes use fewer.</source>
        <translation>最小消息的计时迭代次数；消息越大，次数越少。</translation>
    </message>
    <message>
        <source>iterations</source>
        <translation>次</translation>
    </message>
    <message>
        <source>Iterations before the timed ones.</source>
        <translation>计时前的迭代次数。</translation>
    </message>
    <message>
        <source>Buffers</source>
        <translation>缓冲区</translation>
    </message>
    <message>
        <source>Whether the result overwrites the input buffer.</source>
        <translation>结果是否覆盖输入缓冲区。</translation>
    </message>
    <message>
        <source>Both</source>
        <translation>两者</translation>
    </message>
    <message>
        <source>In place and out of place.</source>
        <translation>就地和非就地。</translation>
    </message>
    <message>
        <source>In place</source>
        <translation>就地</translation>
    </message>
    <message>
        <source>The result overwrites the input.</source>
        <translation>结果覆盖输入。</translation>
    </message>
    <message>
        <source>Out of place</source>
        <translation>非就地</translation>
    </message>
    <message>
        <source>The result has its own buffer.</source>
        <translation>结果有自己的缓冲区。</translation>
    </message>
    <message>
        <source>Data type of the array elements.</source>
        <translation>数组元素的数据类型。</translation>
    </message>
    <message>
        <source>4 bytes, floating point.</source>
        <translation>4 字节浮点数。</translation>
    </message>
    <message>
        <source>8 bytes, floating point.</source>
        <translation>8 字节浮点数。</translation>
    </message>
    <message>
        <source>float16</source>
        <translation>float16</translation>
    </message>
    <message>
        <source>2 bytes, floating point.</source>
        <translation>2 字节浮点数。</translation>
    </message>
    <message>
        <source>bfloat16</source>
        <translation>bfloat16</translation>
    </message>
    <message>
        <source>2 bytes, with the exponent range of float32.</source>
        <translation>2 字节，指数范围与 float32 相同。</translation>
    </message>
    <message>
        <source>int32</source>
        <translation>int32</translation>
    </message>
    <message>
        <source>4 bytes, integer.</source>
        <translation>4 字节整数。</translation>
    </message>
    <message>
        <source>int64</source>
        <translation>int64</translation>
    </message>
    <message>
        <source>8 bytes, integer.</source>
        <translation>8 字节整数。</translation>
    </message>
    <message>
        <source>uint8</source>
        <translation>uint8</translation>
    </message>
    <message>
        <source>1 byte, unsigned integer.</source>
        <translation>1 字节无符号整数。</translation>
    </message>
    <message>
        <source>Reduction</source>
        <translation>归约运算</translation>
    </message>
    <message>
        <source>The reduction operation; band, bor and bxor need integers.</source>
        <translation>归约所用的运算；band、bor 和 bxor 只用于整数。</translation>
    </message>
    <message>
        <source>Element-wise sum.</source>
        <translation>逐元素求和。</translation>
    </message>
    <message>
        <source>Product</source>
        <translation>乘积</translation>
    </message>
    <message>
        <source>Element-wise product.</source>
        <translation>逐元素求积。</translation>
    </message>
    <message>
        <source>Minimum</source>
        <translation>最小值</translation>
    </message>
    <message>
        <source>Element-wise minimum.</source>
        <translation>逐元素取最小值。</translation>
    </message>
    <message>
        <source>Maximum</source>
        <translation>最大值</translation>
    </message>
    <message>
        <source>Element-wise maximum.</source>
        <translation>逐元素取最大值。</translation>
    </message>
    <message>
        <source>Bitwise and</source>
        <translation>按位与</translation>
    </message>
    <message>
        <source>Bits that are set on all ranks.</source>
        <translation>所有 rank 上都为 1 的位。</translation>
    </message>
    <message>
        <source>Bitwise or</source>
        <translation>按位或</translation>
    </message>
    <message>
        <source>Bits that are set on any rank.</source>
        <translation>任一 rank 上为 1 的位。</translation>
    </message>
    <message>
        <source>Bitwise exclusive or</source>
        <translation>按位异或</translation>
    </message>
    <message>
        <source>Bits that are set on an odd number of ranks.</source>
        <translation>奇数个 rank 上为 1 的位。</translation>
    </message>
    <message>
        <source>MPI</source>
        <translation>MPI</translation>
    </message>
    <message>
        <source>Open MPI&apos;s mpirun starts the ranks, and they communicate through MPI, as on clusters.</source>
        <translation>由 Open MPI 的 mpirun 启动各个 rank，并通过 MPI 通信，与在集群上一样。</translation>
    </message>
    <message>
        <source>Steps that each rank trains independently before the ranks average; 0 means a whole epoch.</source>
        <translation>两次平均之间各 rank 独立训练的步数；0 表示一整轮。</translation>
    </message>
    <message>
        <source>Partition</source>
        <translation>划分方式</translation>
    </message>
    <message>
        <source>Data split</source>
        <translation>数据划分方式</translation>
    </message>
    <message>
        <source>Which samples each rank sees.</source>
        <translation>每个 rank 看到哪些样本。</translation>
    </message>
    <message>
        <source>Every epoch shuffles the whole set; each batch is split across the ranks.</source>
        <translation>每轮把全部数据打乱一次，每个批次在各 rank 之间切分。</translation>
    </message>
    <message>
        <source>Random sampling</source>
        <translation>随机采样</translation>
    </message>
    <message>
        <source>Every rank samples from the whole set, with replacement.</source>
        <translation>每个 rank 从全部数据中有放回地抽样。</translation>
    </message>
    <message>
        <source>Random split</source>
        <translation>随机划分</translation>
    </message>
    <message>
        <source>Shuffled once and split into disjoint shares.</source>
        <translation>打乱一次后划分为互不相交的份额。</translation>
    </message>
    <message>
        <source>Contiguous</source>
        <translation>连续划分</translation>
    </message>
    <message>
        <source>Split into contiguous pieces, in the order of the file.</source>
        <translation>按文件中的顺序划分为连续的几段。</translation>
    </message>
    <message>
        <source>Strided</source>
        <translation>间隔</translation>
    </message>
    <message>
        <source>With p ranks, each rank takes every p-th sample of the file.</source>
        <translation>有 p 个 rank 时，每个 rank 从文件的每 p 个样本中取一个。</translation>
    </message>
    <message>
        <source>By label</source>
        <translation>按标签</translation>
    </message>
    <message>
        <source>Sorted by label and split into shards: each rank sees few labels.</source>
        <translation>按标签排序并切成分片：每个 rank 只看到少数标签。</translation>
    </message>
    <message>
        <source>Dirichlet</source>
        <translation>狄利克雷</translation>
    </message>
    <message>
        <source>Each label is split unevenly, following a Dirichlet distribution with parameter alpha.</source>
        <translation>每个标签按参数为 alpha 的狄利克雷分布不均匀地划分。</translation>
    </message>
    <message>
        <source>Unequal shares</source>
        <translation>不等份额</translation>
    </message>
    <message>
        <source>A random split into shares of given sizes.</source>
        <translation>按给定大小随机划分。</translation>
    </message>
    <message>
        <source>Alpha</source>
        <translation>alpha</translation>
    </message>
    <message>
        <source>How similar the ranks&apos; labels are: 0.05 gives each rank few labels, 100 gives all ranks nearly the same.</source>
        <translation>各 rank 标签分布的相似程度：0.05 使每个 rank 只有少数标签，100 使各 rank 几乎相同。</translation>
    </message>
    <message>
        <source>Shards per rank</source>
        <translation>每个 rank 的分片数</translation>
    </message>
    <message>
        <source>Shares</source>
        <translation>份额</translation>
    </message>
    <message>
        <source>One proportion per rank, such as 4,2,1,1; empty means 1,2,3 and so on.</source>
        <translation>每个 rank 一个比例，例如 4,2,1,1；留空则为 1,2,3，依此类推。</translation>
    </message>
    <message>
        <source>Overlap</source>
        <translation>重叠率</translation>
    </message>
    <message>
        <source>Extra samples that each rank has in common with other ranks, as a fraction of its share.</source>
        <translation>每个 rank 另外得到的、与其他 rank 共有的样本，以占其份额的比例表示。</translation>
    </message>
    <message>
        <source>Uneven shares</source>
        <translation>份额不均时</translation>
    </message>
    <message>
        <source>What to do when some ranks have more samples than others.</source>
        <translation>某些 rank 的样本多于其他 rank 时如何处理。</translation>
    </message>
    <message>
        <source>Proportional batches</source>
        <translation>按比例批次</translation>
    </message>
    <message>
        <source>Batches in proportion to the share: all ranks finish an epoch in the same step.</source>
        <translation>批次与份额成比例：所有 rank 在同一步结束一轮。</translation>
    </message>
    <message>
        <source>Pad</source>
        <translation>补齐</translation>
    </message>
    <message>
        <source>Smaller shares repeat samples until all are as large as the largest.</source>
        <translation>较小的份额重复样本，直到与最大的一样多。</translation>
    </message>
    <message>
        <source>Truncate</source>
        <translation>截断</translation>
    </message>
    <message>
        <source>Larger shares drop samples, different ones each epoch.</source>
        <translation>较大的份额舍去部分样本，每轮不同。</translation>
    </message>
    <message>
        <source>Call set_epoch</source>
        <translation>调用 set_epoch</translation>
    </message>
    <message>
        <source>Calls the sampler&apos;s set_epoch before each epoch, which gives every epoch its own order. Off shows what forgetting it does: every epoch repeats the first one&apos;s order.</source>
        <translation>在每一轮之前调用采样器的 set_epoch，使每一轮的顺序各不相同。关闭后可以看到忘记调用的后果：每一轮都重复第一轮的顺序。</translation>
    </message>
    <message>
        <source>Checkpoints</source>
        <translation>检查点</translation>
    </message>
    <message>
        <source>Checkpoint every</source>
        <translation>检查点间隔</translation>
    </message>
    <message>
        <source>Steps between two checkpoints, from which a run can resume; 0 writes one only on request and when the run stops.</source>
        <translation>两个检查点之间的步数，运行可以从检查点恢复；0 表示只在请求时和停止时写入。</translation>
    </message>
    <message>
        <source>Checkpoints to keep</source>
        <translation>保留的检查点数</translation>
    </message>
    <message>
        <source>Number of newest checkpoints to keep per run; 0 keeps all.</source>
        <translation>每次运行保留多少个最新的检查点；0 表示全部保留。</translation>
    </message>
    <message>
        <source>Resume from</source>
        <translation>从检查点恢复</translation>
    </message>
    <message>
        <source>Folder of the checkpoint to resume from; empty starts from scratch.</source>
        <translation>要恢复的检查点所在的文件夹；留空则从头开始。</translation>
    </message>
    <message>
        <source>Gradient grouping</source>
        <translation>梯度分组</translation>
    </message>
    <message>
        <source>How many messages carry the gradients of a step, and when they are sent.</source>
        <translation>一步的梯度分成几条消息、在何时发送。</translation>
    </message>
    <message>
        <source>Single array</source>
        <translation>单个数组</translation>
    </message>
    <message>
        <source>All gradients in one message, after backward.</source>
        <translation>反向传播之后用一条消息发送全部梯度。</translation>
    </message>
    <message>
        <source>Per tensor</source>
        <translation>逐个张量</translation>
    </message>
    <message>
        <source>One collective per parameter tensor, after backward: the simplest way.</source>
        <translation>反向传播之后每个参数张量一次集合通信：最简单的方式。</translation>
    </message>
    <message>
        <source>Buckets</source>
        <translation>分桶</translation>
    </message>
    <message>
        <source>Several parameters per message, sent while backward is running, as in PyTorch&apos;s DDP.</source>
        <translation>若干参数合在一条消息中，在反向传播进行时发送：与 PyTorch 的 DDP 相同。</translation>
    </message>
    <message>
        <source>Bucket size</source>
        <translation>桶的大小</translation>
    </message>
    <message>
        <source>A bucket is sent once it holds this much.</source>
        <translation>桶中数据达到此大小就发送。</translation>
    </message>
    <message>
        <source>kB</source>
        <translation>kB</translation>
    </message>
    <message>
        <source>First bucket size</source>
        <translation>第一个桶的大小</translation>
    </message>
    <message>
        <source>A smaller first bucket lets communication start early.</source>
        <translation>第一个桶较小，以便尽早开始通信。</translation>
    </message>
    <message>
        <source>Micro-batches</source>
        <translation>微批次</translation>
    </message>
    <message>
        <source>Splits each batch into this many parts and accumulates their gradients: less memory.</source>
        <translation>把每个批次分成这么多份并累加梯度：占用更少内存。</translation>
    </message>
    <message>
        <source>Folder for checkpoints, with a subfolder per run; empty keeps them beside the stored run.</source>
        <translation>保存检查点的文件夹（每次运行一个子文件夹）；留空则与运行记录保存在一起。</translation>
    </message>
    <message>
        <source>Reshuffled each epoch</source>
        <translation>每轮重新打乱</translation>
    </message>
    <message>
        <source>Scale with ranks</source>
        <translation>随 rank 数缩放</translation>
    </message>
    <message>
        <source>How the learning rate changes when the batch grows with the number of ranks.</source>
        <translation>批次随 rank 数增大时学习率如何变化。</translation>
    </message>
    <message>
        <source>None</source>
        <translation>无</translation>
    </message>
    <message>
        <source>The same learning rate for any number of ranks.</source>
        <translation>无论有多少 rank，学习率不变。</translation>
    </message>
    <message>
        <source>Linear</source>
        <translation>线性</translation>
    </message>
    <message>
        <source>Square root</source>
        <translation>平方根</translation>
    </message>
    <message>
        <source>Batch size of</source>
        <translation>批大小对应</translation>
    </message>
    <message>
        <source>Whether all ranks share one batch or each rank has its own.</source>
        <translation>所有 rank 分摊一个批次，还是每个 rank 各有一个批次。</translation>
    </message>
    <message>
        <source>All ranks</source>
        <translation>所有 rank</translation>
    </message>
    <message>
        <source>The ranks share one batch, however many they are: strong scaling.</source>
        <translation>不论有多少 rank，都分摊同一个批次：强扩展。</translation>
    </message>
    <message>
        <source>Each rank</source>
        <translation>每个 rank</translation>
    </message>
    <message>
        <source>The batch of a step grows with the number of ranks: weak scaling.</source>
        <translation>一步的批次随 rank 数增大：弱扩展。</translation>
    </message>
    <message>
        <source>Target accuracy</source>
        <translation>目标准确率</translation>
    </message>
    <message>
        <source>The times to reach this test accuracy are compared across numbers of ranks; 0 means one percentage point below the single process.</source>
        <translation>比较不同 rank 数达到该测试准确率所用的时间；0 表示比单进程低一个百分点。</translation>
    </message>
    <message>
        <source>LeNet-5</source>
        <translation>LeNet-5</translation>
    </message>
    <message>
        <source>Two convolutional layers with pooling and three linear layers: small and accurate.</source>
        <translation>两个带池化的卷积层和三个线性层：小而准确。</translation>
    </message>
    <message>
        <source>Deep MLP</source>
        <translation>深层 MLP</translation>
    </message>
    <message>
        <source>Many equal linear layers with ReLU between them: easy to split by layers.</source>
        <translation>许多相同的线性层，中间是 ReLU：便于按层切分。</translation>
    </message>
    <message>
        <source>Width of each hidden layer of the MLPs.</source>
        <translation>MLP 每个隐藏层的宽度。</translation>
    </message>
    <message>
        <source>Linear layers</source>
        <translation>线性层数</translation>
    </message>
    <message>
        <source>Number of linear layers in the deep MLP, including the last.</source>
        <translation>深层 MLP 的线性层数，包括最后一层。</translation>
    </message>
    <message>
        <source>Multiplied by the number of ranks. Warm-up starts at the unscaled rate.</source>
        <translation>乘以 rank 数。预热从未缩放的学习率开始。</translation>
    </message>
    <message>
        <source>Multiplied by the square root of the number of ranks: gentler. Warm-up starts at the unscaled rate.</source>
        <translation>乘以 rank 数的平方根：更温和。预热从未缩放的学习率开始。</translation>
    </message>
    <message>
        <source>Pipeline</source>
        <translation>流水线</translation>
    </message>
    <message>
        <source>Stages</source>
        <translation>阶段数</translation>
    </message>
    <message>
        <source>Number of parts that the net is split into by layers, one per rank.</source>
        <translation>网络按层切成的段数，每个 rank 一段。</translation>
    </message>
    <message>
        <source>Number of parts that each batch is split into; more of them leave less idle time.</source>
        <translation>每个批次切成的份数；越多，空闲时间越少。</translation>
    </message>
    <message>
        <source>The order in which a stage processes micro-batches.</source>
        <translation>一个阶段按什么顺序处理微批次。</translation>
    </message>
    <message>
        <source>Fill-drain (GPipe)</source>
        <translation>先填后排（GPipe）</translation>
    </message>
    <message>
        <source>All forward passes, then all backward passes: the simplest schedule.</source>
        <translation>先做完所有前向，再做所有反向：最简单的调度。</translation>
    </message>
    <message>
        <source>1F1B</source>
        <translation>1F1B</translation>
    </message>
    <message>
        <source>Alternates forward and backward: holds the activations of no more micro-batches than there are stages.</source>
        <translation>前向与反向交替：内存中保存激活值的微批次数不超过阶段数。</translation>
    </message>
    <message>
        <source>Interleaved 1F1B</source>
        <translation>交错 1F1B</translation>
    </message>
    <message>
        <source>Each rank holds several smaller parts: less idle time, more messages.</source>
        <translation>每个 rank 持有几个较小的段：空闲更少，消息更多。</translation>
    </message>
    <message>
        <source>Parts per rank</source>
        <translation>每个 rank 的段数</translation>
    </message>
    <message>
        <source>Number of parts of the net that each rank holds.</source>
        <translation>每个 rank 持有网络的几段。</translation>
    </message>
    <message>
        <source>Layers with parameters in each part, such as 1,3; empty balances the parts by FLOPs.</source>
        <translation>每段含参数的层数，例如 1,3；留空则按 FLOPs 均衡。</translation>
    </message>
    <message>
        <source>layers</source>
        <translation>层</translation>
    </message>
    <message>
        <source>Every rank holds some of the layers; micro-batches pass from rank to rank.</source>
        <translation>每个 rank 持有网络的一部分层；微批次从一个 rank 传到下一个 rank。</translation>
    </message>
    <message>
        <source>Samples per step: of all ranks together, or of each rank.</source>
        <translation>每步的样本数：所有 rank 合计，或每个 rank 各自。</translation>
    </message>
    <message>
        <source>Text</source>
        <translation>文本</translation>
    </message>
    <message>
        <source>Two plays by Shakespeare (built in) or your own text file, read byte by byte.</source>
        <translation>莎士比亚的两部戏剧（内置）或自备的文本文件，逐字节读取。</translation>
    </message>
    <message>
        <source>Folder or file</source>
        <translation>文件夹或文件</translation>
    </message>
    <message>
        <source>GPT</source>
        <translation>GPT</translation>
    </message>
    <message>
        <source>A small decoder-only transformer that predicts the next byte of a text.</source>
        <translation>一个小型的仅解码器 Transformer，预测文本的下一个字节。</translation>
    </message>
    <message>
        <source>Width</source>
        <translation>宽度</translation>
    </message>
    <message>
        <source>Embedding dimension of the GPT.</source>
        <translation>GPT 的嵌入维度。</translation>
    </message>
    <message>
        <source>Heads</source>
        <translation>注意力头数</translation>
    </message>
    <message>
        <source>Attention heads per block; each takes an equal part of the width.</source>
        <translation>每个块的注意力头数；每个头占宽度的相等一份。</translation>
    </message>
    <message>
        <source>Blocks</source>
        <translation>块数</translation>
    </message>
    <message>
        <source>Number of transformer blocks: attention followed by a small MLP.</source>
        <translation>Transformer 块的数量：每块是注意力加一个小 MLP。</translation>
    </message>
    <message>
        <source>Context</source>
        <translation>上下文</translation>
    </message>
    <message>
        <source>Number of bytes that the GPT sees at once; the text is split into windows one byte longer.</source>
        <translation>GPT 一次看到的字节数；文本切成的窗口比它多一个字节。</translation>
    </message>
    <message>
        <source>Tied weights</source>
        <translation>共享权重</translation>
    </message>
    <message>
        <source>The last layer shares the weights of the first: fewer parameters, and a link between both ends of a pipeline.</source>
        <translation>最后一层与第一层共享权重：参数更少，并把流水线的两端联系起来。</translation>
    </message>
    <message>
        <source>Pipeline schedule</source>
        <translation>流水线调度</translation>
    </message>
    <message>
        <source>Transport</source>
        <translation>传输方式</translation>
    </message>
    <message>
        <source>How the parts exchange activations and gradients. The results are the same.</source>
        <translation>各段以何种方式相互传递激活值和梯度。计算结果相同。</translation>
    </message>
    <message>
        <source>Messages between neighbouring ranks, over the chosen backend.</source>
        <translation>相邻 rank 之间的消息，经由所选的后端。</translation>
    </message>
    <message>
        <source>Remote calls (RPC)</source>
        <translation>远程调用（RPC）</translation>
    </message>
    <message>
        <source>LibTorch&apos;s RPC agent: each part calls the next one as a function on another rank, which returns the gradient.</source>
        <translation>LibTorch 的 RPC 代理：每一段把下一段当作另一个 rank 上的函数来调用，其返回值就是梯度。</translation>
    </message>
    <message>
        <source>Tensor parallel</source>
        <translation>张量并行</translation>
    </message>
    <message>
        <source>Every rank holds part of each layer; the ranks exchange partial sums.</source>
        <translation>每个 rank 持有每一层的一部分；rank 之间交换部分和。</translation>
    </message>
    <message>
        <source>Grid: data x pipeline x tensor</source>
        <translation>网格：数据 × 流水线 × 张量</translation>
    </message>
    <message>
        <source>Copies of a net that is split by layers and within layers.</source>
        <translation>按层切分又在层内切分的网络的多个副本。</translation>
    </message>
    <message>
        <source>ZeRO (sharded data parallel)</source>
        <translation>ZeRO（分片数据并行）</translation>
    </message>
    <message>
        <source>Data parallel in which each rank keeps only its part of the model states.</source>
        <translation>与数据并行相同，但每个 rank 只保留自己那一份模型状态。</translation>
    </message>
    <message>
        <source>Memory limit per rank</source>
        <translation>每个 rank 的内存上限</translation>
    </message>
    <message>
        <source>MB</source>
        <translation>MB</translation>
    </message>
    <message>
        <source>Tensor</source>
        <translation>张量</translation>
    </message>
    <message>
        <source>Parts per layer</source>
        <translation>每层的份数</translation>
    </message>
    <message>
        <source>Parts per layer of a copy</source>
        <translation>每份副本中每层的份数</translation>
    </message>
    <message>
        <source>Number of ranks that share each layer: one layer is split by outputs, the next by inputs, attention by heads.</source>
        <translation>分担每一层的 rank 数：一层按输出切分，下一层按输入切分，注意力按头切分。</translation>
    </message>
    <message>
        <source>Grid</source>
        <translation>网格</translation>
    </message>
    <message>
        <source>Copies of the net</source>
        <translation>网络的副本数</translation>
    </message>
    <message>
        <source>Each copy processes part of every batch (data parallel).</source>
        <translation>每个副本处理每个批次的一部分（数据并行）。</translation>
    </message>
    <message>
        <source>copies</source>
        <translation>个副本</translation>
    </message>
    <message>
        <source>Stages per copy</source>
        <translation>每个副本的阶段数</translation>
    </message>
    <message>
        <source>Number of parts that each copy is split into by layers (pipeline parallel).</source>
        <translation>每个副本按层切成的段数（流水线并行）。</translation>
    </message>
    <message>
        <source>stages</source>
        <translation>个阶段</translation>
    </message>
    <message>
        <source>Number of ranks that share each layer of a stage (tensor parallel).</source>
        <translation>分担一个阶段中每一层的 rank 数（张量并行）。</translation>
    </message>
    <message>
        <source>Shard the optimizer state</source>
        <translation>优化器状态分片</translation>
    </message>
    <message>
        <source>Each copy keeps only its part of the optimizer state (ZeRO-1).</source>
        <translation>每个副本只保存优化器状态的一部分（ZeRO-1）。</translation>
    </message>
    <message>
        <source>Sharding</source>
        <translation>分片</translation>
    </message>
    <message>
        <source>ZeRO stage</source>
        <translation>ZeRO 阶段</translation>
    </message>
    <message>
        <source>What is sharded: 1 the optimizer state, 2 also the gradients, 3 also the parameters.</source>
        <translation>对哪些内容分片：1 为优化器状态，2 再加上梯度，3 再加上参数。</translation>
    </message>
    <message>
        <source>Prefetch</source>
        <translation>预取</translation>
    </message>
    <message>
        <source>Fetches the next layer&apos;s parameters while the current layer computes.</source>
        <translation>当前层计算时，预先取回下一层的参数。</translation>
    </message>
    <message>
        <source>Memory that all ranks on this machine can access, including that of a GPU they share: the fastest on one machine.</source>
        <translation>本机所有 rank 都能访问的内存，包括它们共用的 GPU 的显存：单机上最快。</translation>
    </message>
    <message>
        <source>NCCL</source>
        <translation>NCCL</translation>
    </message>
    <message>
        <source>NVIDIA&apos;s library for communication between GPUs; every rank needs its own GPU.</source>
        <translation>NVIDIA 的 GPU 间通信库；每个 rank 需要独占一块 GPU。</translation>
    </message>
    <message>
        <source>NCCL with several ranks per GPU</source>
        <translation>NCCL 允许多个 rank 共用一块 GPU</translation>
    </message>
    <message>
        <source>Lets ranks that share a GPU communicate through NCCL: an experimental feature of NCCL 2.30 and later, made for two ranks per GPU. Off: they use shared memory on the GPU.</source>
        <translation>让共用一块 GPU 的 rank 通过 NCCL 通信：这是 NCCL 2.30 及更高版本的实验功能，按每块 GPU 两个 rank 设计。关闭时它们使用 GPU 上的共享内存。</translation>
    </message>
    <message>
        <source>Timing</source>
        <translation>计时</translation>
    </message>
    <message>
        <source>Whether to slow the ranks down for more detailed timings.</source>
        <translation>是否放慢各 rank 以获得更详细的计时。</translation>
    </message>
    <message>
        <source>Speed</source>
        <translation>速度</translation>
    </message>
    <message>
        <source>Measure</source>
        <translation>测量</translation>
    </message>
    <message>
        <source>In three out of four blocks of steps, a barrier before the communication separates waiting from transferring, also on a GPU. The barrier costs time; the run reports how much, estimated from the blocks without it.</source>
        <translation>每四块训练步中，有三块在通信前加一道屏障，把等待与传输分开，在 GPU 上也是如此。屏障会花费时间；运行根据不加屏障的那一块估计并报告其代价。</translation>
    </message>
    <message>
        <source>auto uses GPUs if there are any and lockstep-rank supports them, else the CPU; cpu uses the CPU; cuda:0, cuda:1, ... put all ranks on that GPU.</source>
        <translation>auto：有 GPU 且 lockstep-rank 支持时用 GPU，否则用 CPU；cpu：用 CPU；cuda:0、cuda:1……：所有 rank 都放在这块 GPU 上。</translation>
    </message>
    <message>
        <source>GPUs of the ranks</source>
        <translation>各 rank 的 GPU</translation>
    </message>
    <message>
        <source>GPU numbers that the ranks take in turn, such as 0,0,1 for two ranks on the first GPU and one on the second; empty uses all GPUs in turn.</source>
        <translation>各 rank 依次使用的 GPU 编号，例如 0,0,1 表示两个 rank 放在第一块、一个放在第二块；留空则依次使用所有 GPU。</translation>
    </message>
    <message>
        <source>Mixed precision</source>
        <translation>混合精度</translation>
    </message>
    <message>
        <source>Whether matrix products and convolutions use lower precision; weights, sums and losses stay float32. float32 products are never rounded to TF32.</source>
        <translation>矩阵乘法和卷积是否使用较低精度；权重、求和与损失仍为 float32。float32 的乘法从不舍入为 TF32。</translation>
    </message>
    <message>
        <source>Off</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Everything is computed in float32.</source>
        <translation>全部用 float32 计算。</translation>
    </message>
    <message>
        <source>The range of float32 with less precision: needs no loss scaling.</source>
        <translation>范围与 float32 相同，精度较低：无需损失缩放。</translation>
    </message>
    <message>
        <source>More precision, less range. The loss is scaled by 65536 so that small gradients do not vanish; a step that overflows is skipped and halves the scale, 2000 good steps double it.</source>
        <translation>精度较高，范围较小。损失先乘以 65536，使小梯度不致消失；某一步溢出时跳过该步并将系数减半，连续 2000 个正常步之后加倍。</translation>
    </message>
    <message>
        <source>Channels last</source>
        <translation>通道在后（channels-last）</translation>
    </message>
    <message>
        <source>Stores the channels of each pixel together: faster convolutions on GPUs. Losses differ in the last digits.</source>
        <translation>把同一像素的各通道放在一起存储：GPU 上的卷积更快。损失在末几位上有差别。</translation>
    </message>
    <message>
        <source>CUDA graphs</source>
        <translation>CUDA 图</translation>
    </message>
    <message>
        <source>On a GPU, records the kernels of a step once and launches them together: steps of small nets take a fraction of the time. No effect on the CPU.</source>
        <translation>在 GPU 上，一步的所有核函数只录制一次，之后一起启动：小网络的每一步只需原来的几分之一时间。在 CPU 上不起作用。</translation>
    </message>
    <message>
        <source>Adds nothing to training. Time that a rank spends in a communication before the last rank arrives counts as waiting.</source>
        <translation>训练不增加任何操作。一个 rank 在通信中、最后一个 rank 到达之前花费的时间算作等待。</translation>
    </message>
    <message>
        <source>Cut of the net</source>
        <translation>网络切分</translation>
    </message>
    <message>
        <source>Step decay</source>
        <translation>阶梯衰减</translation>
    </message>
    <message>
        <source>Activation recomputation</source>
        <translation>激活重计算</translation>
    </message>
    <message>
        <source>Which activations are computed again in backward instead of kept from forward: less memory, up to one more forward pass per step, the same losses.</source>
        <translation>哪些激活值不从前向传播保留，而在反向传播中重新计算：占用内存更少，每步最多多一次前向传播，损失不变。</translation>
    </message>
    <message>
        <source>All activations are kept.</source>
        <translation>保留全部激活值。</translation>
    </message>
    <message>
        <source>By layers</source>
        <translation>按层</translation>
    </message>
    <message>
        <source>Keeps only the inputs of segments of layers; the number of segments is the one that needs the least memory. ZeRO-2 and ZeRO-3 keep each layer&apos;s input, which saves memory only in gpt, cnn and lenet5.</source>
        <translation>把各层分段，只保留每段的输入，段数取占用内存最少者。ZeRO-2 和 ZeRO-3 保留每一层的输入，只在 gpt、cnn 和 lenet5 中节省内存。</translation>
    </message>
    <message>
        <source>By stages</source>
        <translation>按阶段</translation>
    </message>
    <message>
        <source>Keeps each pipeline stage&apos;s input per micro-batch, as GPipe does.</source>
        <translation>对每个微批次只保留各流水线阶段的输入，与 GPipe 相同。</translation>
    </message>
    <message>
        <source>Local SGD</source>
        <translation>局部 SGD</translation>
    </message>
    <message>
        <source>Synchronize every</source>
        <translation>同步间隔</translation>
    </message>
    <message>
        <source>Steps that each rank trains independently before the ranks synchronize; 0 means a whole epoch.</source>
        <translation>每个 rank 独立训练多少步之后同步；0 表示一整轮。</translation>
    </message>
    <message>
        <source>What is sent</source>
        <translation>发送内容</translation>
    </message>
    <message>
        <source>What the ranks aggregate when they synchronize.</source>
        <translation>同步时聚合什么。</translation>
    </message>
    <message>
        <source>Each rank&apos;s weights.</source>
        <translation>各 rank 的权重。</translation>
    </message>
    <message>
        <source>Differences</source>
        <translation>差值</translation>
    </message>
    <message>
        <source>The weights after the last synchronization minus each rank&apos;s current weights, as in DiLoCo.</source>
        <translation>上次同步后的权重减去各 rank 现在的权重，即 DiLoCo 的做法。</translation>
    </message>
    <message>
        <source>Outer learning rate</source>
        <translation>外层学习率</translation>
    </message>
    <message>
        <source>Step size of the outer optimizer along the ranks&apos; mean difference; 1 without momentum gives the mean of their weights.</source>
        <translation>外层优化器沿各 rank 的平均差值前进的步长；取 1 且没有动量时，结果就是权重的平均值。</translation>
    </message>
    <message>
        <source>Outer momentum</source>
        <translation>外层动量</translation>
    </message>
    <message>
        <source>Nesterov momentum of the outer optimizer; 0 means none. DiLoCo uses 0.9 with an outer learning rate of 0.7.</source>
        <translation>外层优化器的 Nesterov 动量；0 表示没有。DiLoCo 用 0.9，外层学习率为 0.7。</translation>
    </message>
    <message>
        <source>Every rank trains its own copy of the net; every few steps the ranks synchronize.</source>
        <translation>每个 rank 训练自己的一份网络，每隔几步同步一次。</translation>
    </message>
    <message>
        <source>Offload</source>
        <translation>优化器状态卸载</translation>
    </message>
    <message>
        <source>Where each rank keeps and updates its part of the optimizer state.</source>
        <translation>每个 rank 在哪里保存并更新自己那部分优化器状态。</translation>
    </message>
    <message>
        <source>In the memory that the net computes in.</source>
        <translation>放在网络计算所用的内存（显存）里。</translation>
    </message>
    <message>
        <source>Host memory</source>
        <translation>主机内存</translation>
    </message>
    <message>
        <source>For ranks on a GPU: the CPU updates the weights, chunk by chunk.</source>
        <translation>用于 GPU 上的 rank：由 CPU 逐块更新权重。</translation>
    </message>
    <message>
        <source>Disk</source>
        <translation>磁盘</translation>
    </message>
    <message>
        <source>In a temporary file: chunks are read, updated and written in every step. Slow, but the state needs almost no memory.</source>
        <translation>放在临时文件里：每一步逐块读出、更新、写回。较慢，但优化器状态几乎不占内存。</translation>
    </message>
    <message>
        <source>Offload folder</source>
        <translation>卸载文件夹</translation>
    </message>
    <message>
        <source>Folder of the temporary file, on a fast disk; empty means the system&apos;s folder for temporary files.</source>
        <translation>临时文件所在的文件夹，最好在快速的磁盘上；留空则用系统的临时文件夹。</translation>
    </message>
    <message>
        <source>Every rank gets the root&apos;s array.</source>
        <translation>每个 rank 得到根 rank 的数组。</translation>
    </message>
    <message>
        <source>The root gets the reduction of all arrays.</source>
        <translation>根 rank 得到所有数组的归约结果。</translation>
    </message>
    <message>
        <source>The root gets all arrays.</source>
        <translation>根 rank 得到所有数组。</translation>
    </message>
    <message>
        <source>Every rank gets one part of the root&apos;s array.</source>
        <translation>每个 rank 得到根 rank 的数组的一部分。</translation>
    </message>
    <message>
        <source>As in training</source>
        <translation>与训练相同</translation>
    </message>
    <message>
        <source>Allocates arrays as training allocates gradients: in memory shared by the ranks if the backend supports it, else in place.</source>
        <translation>像训练分配梯度那样分配数组：后端支持时放在各 rank 共享的内存中，否则就地。</translation>
    </message>
    <message>
        <source>Root</source>
        <translation>根 rank</translation>
    </message>
    <message>
        <source>The rank that sends to all others or receives from them, numbered within its group.</source>
        <translation>向所有其他 rank 发送或从它们接收的 rank，按组内编号。</translation>
    </message>
    <message>
        <source>Groups</source>
        <translation>组数</translation>
    </message>
    <message>
        <source>Splits the ranks into this many equal groups of neighbouring ranks, which make each call at the same time; the times are those of the slowest group.</source>
        <translation>把 rank 按编号顺序分成这么多个同样大小的组，各组同时进行每次调用；时间取最慢的一组。</translation>
    </message>
    <message>
        <source>Asynchronous</source>
        <translation>异步</translation>
    </message>
    <message>
        <source>Starts the calls without waiting for each, like async_op=True in torch.distributed, and then waits for all; the time per call is then how long it keeps the group busy.</source>
        <translation>像 torch.distributed 的 async_op=True 那样发起调用而不逐个等待，最后等待全部完成；此时一次调用的时间是它占用该组的时长。</translation>
    </message>
    <message>
        <source>Own program</source>
        <translation>自己的程序</translation>
    </message>
    <message>
        <source>Program</source>
        <translation>程序</translation>
    </message>
    <message>
        <source>A parameter that your own program declares.</source>
        <translation>自己的程序声明的参数。</translation>
    </message>
    <message>
        <source>Maximum memory for a rank&apos;s tensors and its shared memory: weights, gradients, optimizer state, activations, data set, buffers; memory that libraries allocate themselves is not counted. On a GPU it limits GPU memory, and the run ends after the step that exceeds it. 0 means no limit.</source>
        <translation>一个 rank 的张量及其共享内存总共可占用的内存上限：权重、梯度、优化器状态、激活值、数据集和缓冲区；各个库自身分配的内存不计。在 GPU 上限制的是 GPU 内存，超出的那一步之后运行即终止。0 表示不限。</translation>
    </message>
    <message>
        <source>Faults</source>
        <translation>故障</translation>
    </message>
    <message>
        <source>Faulty rank</source>
        <translation>出错的 rank</translation>
    </message>
    <message>
        <source>Skipped collective</source>
        <translation>跳过的集合通信</translation>
    </message>
    <message>
        <source>The faulty rank does not enter its n-th collective or message, counted over all its groups from the start of the run, and the others wait until comm.timeout_s; 0 skips none.</source>
        <translation>出错的 rank 不进入它的第 n 次集合通信或消息（从运行开始起，在它所属的所有组中计数），其他 rank 一直等到 comm.timeout_s；0 表示不跳过。</translation>
    </message>
    <message>
        <source>Network interface</source>
        <translation>网络接口</translation>
    </message>
    <message>
        <source>By name (eth0) or subnet (10.1.0.0/16), for ranks on several hosts; each host uses its own. Empty: GLOO_SOCKET_IFNAME or NCCL_SOCKET_IFNAME, else the interface through which rank 0&apos;s host is reached.</source>
        <translation>按名称（eth0）或子网（10.1.0.0/16）指定，用于分布在多台主机上的 rank；每台主机使用自己的接口。留空：使用 GLOO_SOCKET_IFNAME 或 NCCL_SOCKET_IFNAME，否则使用到达 rank 0 所在主机的接口。</translation>
    </message>
    <message>
        <source>CIFAR-100</source>
        <translation>CIFAR-100</translation>
    </message>
    <message>
        <source>Colour photographs of 100 classes, 3 x 32 x 32, in the binary version of the files.</source>
        <translation>一百个类别的彩色照片，3 x 32 x 32，采用二进制版本的文件。</translation>
    </message>
    <message>
        <source>Your own images and labels in the MNIST file format, with any labels: Fashion-MNIST, KMNIST, EMNIST, QMNIST.</source>
        <translation>自备的图像和标签，采用 MNIST 的文件格式，标签不限：Fashion-MNIST、KMNIST、EMNIST、QMNIST。</translation>
    </message>
    <message>
        <source>NumPy file (.npz)</source>
        <translation>NumPy 文件（.npz）</translation>
    </message>
    <message>
        <source>Arrays x_train, y_train, x_test and y_test as Keras saves MNIST; pixels from 0 to 255.</source>
        <translation>数组 x_train、y_train、x_test 和 y_test，与 Keras 保存的 MNIST 相同；像素为 0 到 255。</translation>
    </message>
    <message>
        <source>CSV file</source>
        <translation>CSV 文件</translation>
    </message>
    <message>
        <source>A line label,pixel0,... for each square image. Without a labelled test file beside it, the last sixth tests.</source>
        <translation>每幅正方形图像一行：label,pixel0,...。旁边没有带标签的测试文件时，最后六分之一用于测试。</translation>
    </message>
    <message>
        <source>Folder with the four IDX files (plain or .gz) or the .bin files of CIFAR, or an .npz, CSV or text file. Of several IDX sets in one folder, choose the training images of one. Empty uses the downloaded MNIST, the CIFAR files beside it, or the built-in text.</source>
        <translation>含有四个 IDX 文件（未压缩或 .gz）或 CIFAR 的 .bin 文件的文件夹，或者 .npz、CSV 或文本文件。一个文件夹中有多个 IDX 数据集时，选择其中一个的训练图像。留空则使用下载的 MNIST、旁边的 CIFAR 文件或内置文本。</translation>
    </message>
    <message>
        <source>Labels</source>
        <translation>标签</translation>
    </message>
    <message>
        <source>Which of the two labels of each image the net learns.</source>
        <translation>网络学习每幅图像两个标签中的哪一个。</translation>
    </message>
    <message>
        <source>Fine (100)</source>
        <translation>细分类（100）</translation>
    </message>
    <message>
        <source>Its class: maple, oak.</source>
        <translation>图像的类别：枫树、橡树。</translation>
    </message>
    <message>
        <source>Coarse (20)</source>
        <translation>大类（20）</translation>
    </message>
    <message>
        <source>Its superclass: trees.</source>
        <translation>图像的大类：树木。</translation>
    </message>
    <message>
        <source>Shards of the set, sorted by label, per rank: with fewer, each rank sees fewer labels. A shard that begins with one label may end with the next.</source>
        <translation>按标签排序后的数据分给每个 rank 的分片数：分片越少，每个 rank 看到的标签越少。一个分片可能以一个标签开始、以下一个标签结束。</translation>
    </message>
    <message>
        <source>Gives each rank as many cores as it has threads, its own where there are enough: steadier timings. A rank on a GPU gets an equal share of the cores.</source>
        <translation>每个 rank 占用与其线程数相同的核心，核心足够时独占：计时更稳定。使用 GPU 的 rank 平分所有核心。</translation>
    </message>
    <message>
        <source>Epochs between two evaluations on the test set and the first 10,000 training samples; the last step is always evaluated.</source>
        <translation>两次在测试集和训练集前 10,000 个样本上评估之间的轮数；最后一步总会评估。</translation>
    </message>
    <message>
        <source>Starts all runs of a comparison together and alternates between them in random order, a block of steps at a time (in sweeps: the calls of one size), so that other load on the machine affects runs on as many ranks alike.</source>
        <translation>同时启动一次比较中的各次运行，并按随机顺序轮流执行，每次执行若干步（扫描时为一种大小的调用），使机器上的其他负载对 rank 数相同的各次运行影响相同。</translation>
    </message>
    <message>
        <source>A collective that waits this long for other ranks fails and names the missing ones. At the start the ranks wait as long for each other, but at least 20 s.</source>
        <translation>集合通信等待其他 rank 达到此时间即失败，并指出缺少哪些 rank。启动时各 rank 也最多互相等待这么久，但至少等待 20 s。</translation>
    </message>
    <message>
        <source>The ranks are processes of your own program (rank.program).</source>
        <translation>各 rank 是自己的程序（rank.program）的进程。</translation>
    </message>
    <message>
        <source>Number of processes; 0 uses as many as the strategy needs, or as lockstep-rank is started with (--local, WORLD_SIZE). Your own program is started once for each rank; with 0 it is started once and makes its ranks itself.</source>
        <translation>进程数；0 表示取策略所需的数目，或启动 lockstep-rank 时给出的数目（--local、WORLD_SIZE）。自己的程序对每个 rank 各启动一次；为 0 时只启动一次，由它自行创建 rank。</translation>
    </message>
    <message>
        <source>The command to run, such as python3 train.py, python3 -m package.train, torchrun train.py or ./train.sh; quotes group words into one argument, and no shell is used. Its own parameters are named own.NAME.</source>
        <translation>要运行的命令，例如 python3 train.py、python3 -m package.train、torchrun train.py 或 ./train.sh；引号把多个词合成一个参数，不经过 shell。程序自己的参数名为 own.NAME。</translation>
    </message>
    <message>
        <source>Watch</source>
        <translation>监视</translation>
    </message>
    <message>
        <source>How the workbench sees what a Python program does.</source>
        <translation>工作台如何得知 Python 程序在做什么。</translation>
    </message>
    <message>
        <source>PyTorch&apos;s calls</source>
        <translation>PyTorch 的调用</translation>
    </message>
    <message>
        <source>An unchanged PyTorch script is watched: its steps, losses and communication are shown.</source>
        <translation>监视未经改动的 PyTorch 脚本：显示它的步、损失和通信。</translation>
    </message>
    <message>
        <source>Only what the script reports through lockstep.py is shown.</source>
        <translation>只显示脚本通过 lockstep.py 报告的内容。</translation>
    </message>
    <message>
        <source>The rank that does what the other fault parameters say.</source>
        <translation>按其他故障参数出错的 rank。</translation>
    </message>
    <message>
        <source>Wrong gradient scale</source>
        <translation>错误的梯度缩放</translation>
    </message>
    <message>
        <source>The faulty rank multiplies its gradient by this before the aggregation; 1 is right.</source>
        <translation>出错的 rank 在聚合之前把自己的梯度乘以该值；1 为正确。</translation>
    </message>
    <message>
        <source>Share of the batch</source>
        <translation>批次的比例</translation>
    </message>
    <message>
        <source>The faulty rank trains on this share of each of its batches, and its mean gradient counts as much as the others&apos;; 1 is right.</source>
        <translation>出错的 rank 只用自己每个批次的这一比例训练，但其平均梯度与其他 rank 占同样的权重；1 为正确。</translation>
    </message>
    <message>
        <source>MPS</source>
        <translation>MPS</translation>
    </message>
    <message>
        <source>NVIDIA&apos;s Multi-Process Service runs kernels of several ranks on one GPU at the same time; without it the ranks take turns.</source>
        <translation>NVIDIA 多进程服务让一块 GPU 上多个 rank 的核函数同时运行；没有它，各 rank 轮流运行。</translation>
    </message>
    <message>
        <source>Where possible</source>
        <translation>可用时</translation>
    </message>
    <message>
        <source>Runs whose ranks share a GPU use the MPS that runs, or start one and stop it at the end.</source>
        <translation>rank 共用 GPU 的运行使用已运行的 MPS，或启动一个并在结束时停止。</translation>
    </message>
    <message>
        <source>Required</source>
        <translation>必需</translation>
    </message>
    <message>
        <source>The run is refused where MPS cannot run.</source>
        <translation>MPS 不能运行时拒绝该运行。</translation>
    </message>
    <message>
        <source>Ranks on one GPU take turns, even where MPS runs.</source>
        <translation>一块 GPU 上的 rank 轮流运行，即使 MPS 在运行。</translation>
    </message>
</context>
<context>
    <name>PartitionCharts</name>
    <message>
        <source>Shows the first repeat only</source>
        <translation>只画第一次重复</translation>
    </message>
    <message>
        <source>%1 (n = %2)</source>
        <translation>%1（n = %2）</translation>
    </message>
    <message>
        <source>Error bars and bands: 95 % CI over repeats</source>
        <translation>误差线与置信带：多次重复的 95% 置信区间</translation>
    </message>
    <message>
        <source>Error bars: 95 % CI over repeats</source>
        <translation>误差线：多次重复的 95% 置信区间</translation>
    </message>
    <message>
        <source>Windows</source>
        <translation>窗口</translation>
    </message>
</context>
<context>
    <name>PipelineSteps</name>
    <message>
        <source>Bubble: %1 % measured over the run</source>
        <translation>气泡：整个运行实测 %1 %</translation>
    </message>
    <message numerus="yes">
        <source>%1 % in the %n step(s) shown</source>
        <translation>
            <numerusform>所示 %n 步中为 %1 %</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 % by (p−1)/(v·m+p−1) with p = %2, m = %3, v = %4</source>
        <translation>按 (p−1)/(v·m+p−1) 为 %1 %，p = %2，m = %3，v = %4</translation>
    </message>
    <message>
        <source>%1 % by (p−1)/(m+p−1) with p = %2, m = %3</source>
        <translation>按 (p−1)/(m+p−1) 为 %1 %，p = %2，m = %3</translation>
    </message>
    <message>
        <source>bubble of this step: %1 %</source>
        <translation>本步的气泡：%1 %</translation>
    </message>
</context>
<context>
    <name>RankMap</name>
    <message>
        <source>rank %1</source>
        <translation>rank %1</translation>
    </message>
    <message>
        <source>ranks %1</source>
        <translation>rank %1</translation>
    </message>
    <message>
        <source>copy %1</source>
        <translation>副本 %1</translation>
    </message>
    <message>
        <source>stage %1</source>
        <translation>阶段 %1</translation>
    </message>
    <message>
        <source>part %1</source>
        <translation>部分 %1</translation>
    </message>
    <message>
        <source>Rank %1 holds the whole net.</source>
        <translation>rank %1 持有整个网络。</translation>
    </message>
    <message>
        <source>Rank %1: %2.</source>
        <translation>rank %1：%2。</translation>
    </message>
    <message>
        <source>, </source>
        <comment>between places</comment>
        <translation>、</translation>
    </message>
    <message>
        <source>Exchanges activations with rank %1.</source>
        <translation>与 rank %1 互相传递激活值。</translation>
    </message>
    <message>
        <source>Passes activations to rank %1.</source>
        <translation>把激活值传给 rank %1。</translation>
    </message>
    <message>
        <source>Receives activations from rank %1.</source>
        <translation>从 rank %1 接收激活值。</translation>
    </message>
    <message>
        <source>Receives activations from rank %1, passes its own to rank %2.</source>
        <translation>从 rank %1 接收激活值，再把自己的传给 rank %2。</translation>
    </message>
    <message>
        <source>Sums gradients with %1; each keeps 1/%2 of the optimizer state.</source>
        <translation>与 %1 一起对梯度求和；各自保存优化器状态的 1/%2。</translation>
    </message>
    <message>
        <source>Sums gradients with %1.</source>
        <translation>与 %1 一起对梯度求和。</translation>
    </message>
    <message>
        <source>Shares its layers with %1.</source>
        <translation>与 %1 分担各层。</translation>
    </message>
    <message>
        <source>1 rank</source>
        <translation>1 个 rank</translation>
    </message>
    <message>
        <source>%1 ranks</source>
        <translation>%1 个 rank</translation>
    </message>
</context>
<context>
    <name>Refusals</name>
    <message>
        <source>%1 does not fit strategy.name pipeline, which needs one rank for each of its %2 stages (pipeline.stages)</source>
        <translation>%1 与 strategy.name pipeline 不符：它的 %2 个阶段（pipeline.stages）各需一个 rank</translation>
    </message>
    <message>
        <source>%1 does not fit strategy.name tensor, which needs one rank for each of the %2 parts of a layer (tensor.size)</source>
        <translation>%1 与 strategy.name tensor 不符：每层的 %2 个部分（tensor.size）各需一个 rank</translation>
    </message>
    <message>
        <source>%1 does not fit strategy.name grid, whose %2 x %3 x %4 (grid.data x grid.pipeline x grid.tensor) need %5 ranks</source>
        <translation>%1 与 strategy.name grid 不符：%2 x %3 x %4（grid.data x grid.pipeline x grid.tensor）需要 %5 个 rank</translation>
    </message>
    <message>
        <source>gpt reads text byte by byte, but %1 is a set of images; use dataset.name text</source>
        <translation>gpt 逐字节读取文本，而 %1 是图像；请用 dataset.name text</translation>
    </message>
    <message>
        <source>%1 needs images; for dataset.name text use gpt</source>
        <translation>%1 的输入是图像；dataset.name 为 text 时请用 gpt</translation>
    </message>
    <message>
        <source>%1 heads cannot share net.width %2 equally; their number must divide it</source>
        <translation>%1 个注意力头无法平分 net.width %2；头数必须能整除它</translation>
    </message>
    <message>
        <source>%1 needs a label for each sample, and windows of text have none; use reshuffled, random-sampling, random, contiguous, strided or unequal</source>
        <translation>%1 需要每个样本都有标签，而文本窗口没有标签；请用 reshuffled、random-sampling、random、contiguous、strided 或 unequal</translation>
    </message>
    <message>
        <source>an idx data set needs the folder with its four files</source>
        <translation>idx 数据集需要指定其四个文件所在的文件夹</translation>
    </message>
    <message>
        <source>%1 samples leave some of %2 ranks without any</source>
        <translation>%1 个样本不够 %2 个 rank 每个都分到</translation>
    </message>
    <message>
        <source>%1 leaves some of %2 ranks without a sample; it must be at least %2</source>
        <translation>%1 会使 %2 个 rank 中有的分不到样本；至少须为 %2</translation>
    </message>
    <message>
        <source>hierarchical carries host memory only, but the ranks run on GPUs; use auto, shm, gloo or nccl, or device cpu</source>
        <translation>hierarchical 只能传送主机内存，而各 rank 要在 GPU 上运行；请用 auto、shm、gloo 或 nccl，或 device cpu</translation>
    </message>
    <message>
        <source>there is no rank %1; the ranks are 0 to %2</source>
        <translation>没有 rank %1；rank 编号为 0 到 %2</translation>
    </message>
    <message>
        <source>an asynchronous parameter server aggregates gradients, not weights</source>
        <translation>异步参数服务器聚合梯度，不聚合权重</translation>
    </message>
    <message>
        <source>%1 needs all gradients of a step at once, but an asynchronous parameter server sees one at a time; use sum, mean or weighted_mean</source>
        <translation>%1 需要同时得到一步的全部梯度，而异步参数服务器每次只见到一个；请用 sum、mean 或 weighted_mean</translation>
    </message>
    <message>
        <source>gd needs the gradient of the whole set, but an asynchronous parameter server sees parts of it; use sgd</source>
        <translation>gd 需要整个数据集的梯度，而异步参数服务器只见到其中一部分；请用 sgd</translation>
    </message>
    <message>
        <source>%1 sends gradients through the backend&apos;s own all-reduce; it needs aggregation.algorithm all_reduce, aggregation.what gradients and a rule of sum, mean or weighted_mean</source>
        <translation>%1 通过后端自带的 all-reduce 发送梯度；它要求 aggregation.algorithm 为 all_reduce、aggregation.what 为 gradients，规则为 sum、mean 或 weighted_mean</translation>
    </message>
    <message>
        <source>%1 needs all arrays in one place, but %2 sums them on the way; use all_gather, gather_broadcast or parameter_server</source>
        <translation>%1 需要所有数组集中在一处，而 %2 在途中就把它们相加；请用 all_gather、gather_broadcast 或 parameter_server</translation>
    </message>
    <message>
        <source>the sum of the ranks&apos; weights is not a useful net; for weights use mean, weighted_mean, median or trimmed_mean</source>
        <translation>各 rank 权重之和不是有用的网络；聚合权重请用 mean、weighted_mean、median 或 trimmed_mean</translation>
    </message>
    <message>
        <source>the ranks of an asynchronous parameter server are never at the same step; use parameter_server</source>
        <translation>异步参数服务器的各 rank 从不处于同一步；请用 parameter_server</translation>
    </message>
    <message>
        <source>a run that is verified must start at its first step</source>
        <translation>要验证的运行必须从第一步开始</translation>
    </message>
    <message>
        <source>gd needs the gradient of the whole set at once, but strategy.name %1 trains on batches; use sgd</source>
        <translation>gd 一次需要整个数据集的梯度，而 strategy.name %1 按批次训练；请用 sgd</translation>
    </message>
    <message>
        <source>rpc uses LibTorch&apos;s own agent, which cannot emulate a link; use p2p, or leave link.latency_us and link.bandwidth_mbps at 0</source>
        <translation>rpc 使用 LibTorch 自带的代理，无法模拟链路；请用 p2p，或让 link.latency_us 与 link.bandwidth_mbps 保持为 0</translation>
    </message>
    <message>
        <source>%1 is more than the %2 samples of a batch that each copy of the net processes</source>
        <translation>%1 多于网络每个副本每批处理的 %2 个样本</translation>
    </message>
    <message>
        <source>%1 is more than the %2 samples of a batch</source>
        <translation>%1 多于一个批次的 %2 个样本</translation>
    </message>
    <message>
        <source>%1 numbers for %2 parts; give one for each</source>
        <translation>给了 %1 个数，而有 %2 个部分；每个部分须有一个数</translation>
    </message>
    <message>
        <source>gd needs the gradient of the whole set at once, but ZeRO trains on batches; use sgd</source>
        <translation>gd 一次需要整个数据集的梯度，而 ZeRO 按批次训练；请用 sgd</translation>
    </message>
    <message>
        <source>%1 is more than sweep.max_bytes, %2</source>
        <translation>%1 大于 sweep.max_bytes（%2）</translation>
    </message>
    <message>
        <source>%1 is not defined for %2; use int32, int64 or uint8</source>
        <translation>%1 对 %2 没有定义；请用 int32、int64 或 uint8</translation>
    </message>
    <message>
        <source>parameter_server_async is not a collective; use parameter_server</source>
        <translation>parameter_server_async 不是集合通信；请用 parameter_server</translation>
    </message>
    <message>
        <source>%1 is an algorithm for all-reduce; %2 has only the backend&apos;s own (all_reduce)</source>
        <translation>%1 是 all-reduce 的算法；%2 只有后端自带的实现（all_reduce）</translation>
    </message>
    <message>
        <source>%1 ranks are too many (grid.data x grid.pipeline x grid.tensor); use at most %2</source>
        <translation>%1 个 rank 太多（grid.data x grid.pipeline x grid.tensor）；最多 %2 个</translation>
    </message>
    <message>
        <source>%1 does not fit strategy.name %2, which needs %3</source>
        <translation>%1 与 strategy.name %2 不符：它需要 %3 个</translation>
    </message>
    <message>
        <source>%1 does not fit strategy.name %2, which takes %3 to %4</source>
        <translation>%1 与 strategy.name %2 不符：它可取 %3 到 %4 个</translation>
    </message>
    <message>
        <source>%1 per rank, %2 together, is more than the %3 training samples</source>
        <translation>每个 rank %1 个，共 %2 个，多于 %3 个训练样本</translation>
    </message>
    <message>
        <source>%1 is more than the %3 training samples</source>
        <translation>%1 多于 %3 个训练样本</translation>
    </message>
    <message>
        <source>rank %1 needs %2 MB (%3), but only %4 MB are allowed; split the net into more stages (strategy.name=pipeline), shard it (strategy.name=zero, zero.stage=3), or raise rank.memory_mb</source>
        <translation>rank %1 需要 %2 MB（%3），而只允许 %4 MB；请把网络切成更多阶段（strategy.name=pipeline）、分片（strategy.name=zero，zero.stage=3），或调高 rank.memory_mb</translation>
    </message>
    <message>
        <source>%1 ranks cannot share the %2 heads of net.heads equally; their number must divide it</source>
        <translation>%1 个 rank 无法平分 net.heads 的 %2 个注意力头；rank 数必须能整除头数</translation>
    </message>
    <message>
        <source>%1 ranks are more than the %2 inputs of `%3` that they would share; use at most %2</source>
        <translation>%1 个 rank 多于它们要分担的 `%3` 的 %2 个输入；最多 %2 个</translation>
    </message>
    <message>
        <source>%1 ranks are more than the %2 outputs of `%3` that they would share; use at most %2</source>
        <translation>%1 个 rank 多于它们要分担的 `%3` 的 %2 个输出；最多 %2 个</translation>
    </message>
    <message>
        <source>%1 training samples are not enough for %2 ranks</source>
        <translation>%1 个训练样本不够 %2 个 rank 用</translation>
    </message>
    <message>
        <source>%1 for each of %2 ranks is more than the %3 training samples</source>
        <translation>%2 个 rank 每个 %1 片，多于 %3 个训练样本</translation>
    </message>
    <message>
        <source>%1 proportions for %2 ranks; give one for each</source>
        <translation>给了 %1 个比例，而有 %2 个 rank；每个 rank 须有一个</translation>
    </message>
    <message>
        <source>%1 leaves rank %2 without a sample; use fewer ranks or other shares</source>
        <translation>%1 使 rank %2 分不到样本；请减少 rank 或改变份额</translation>
    </message>
    <message>
        <source>%1 stages of %2 parts are %3 parts, but %4 has only %5 layers to split</source>
        <translation>%1 个阶段、每个 %2 段，共 %3 段，而 %4 只有 %5 层可切</translation>
    </message>
    <message>
        <source>%1 is too many; %2 has only %3 layers to split</source>
        <translation>%1 太多，%2 只有 %3 层可切</translation>
    </message>
    <message>
        <source>the numbers add up to %1, but %2 has %3 layers to split</source>
        <translation>各数之和为 %1，而 %2 有 %3 层可切</translation>
    </message>
    <message>
        <source>%1 is not a multiple of the number of stages, %2, as the interleaved schedule needs</source>
        <translation>%1 不是阶段数 %2 的倍数，而交错调度要求如此</translation>
    </message>
    <message>
        <source>interleaved needs at least 2 stages; this pipeline has 1</source>
        <translation>交错调度至少需要 2 个阶段，而这条流水线只有 1 个</translation>
    </message>
    <message>
        <source>mpi carries host memory only, but the ranks run on GPUs; use auto, shm, gloo or nccl, or device cpu</source>
        <translation>mpi 只能传送主机内存，而各 rank 要在 GPU 上运行；请用 auto、shm、gloo 或 nccl，或 device cpu</translation>
    </message>
    <message>
        <source>nccl carries GPU memory only, but device is cpu; use auto, shm, gloo or mpi</source>
        <translation>nccl 只能传送 GPU 内存，而 device 是 cpu；请用 auto、shm、gloo 或 mpi</translation>
    </message>
    <message>
        <source>use auto or cpu</source>
        <translation>请用 auto 或 cpu</translation>
    </message>
    <message>
        <source>leave it empty, or use device cpu</source>
        <translation>请留空，或用 device cpu</translation>
    </message>
    <message>
        <source>use auto, shm, gloo or mpi</source>
        <translation>请用 auto、shm、gloo 或 mpi</translation>
    </message>
    <message>
        <source>%1 needs an NVIDIA GPU, but none was found (no /proc/driver/nvidia/gpus, /dev/nvidia0 or /dev/dxg); %2</source>
        <translation>%1 需要 NVIDIA GPU，但未找到（没有 /proc/driver/nvidia/gpus、/dev/nvidia0 或 /dev/dxg）；%2</translation>
    </message>
    <message>
        <source>%1 does not exist: this machine has %3; %2</source>
        <translation>%1 不存在：本机有 %3；%2</translation>
    </message>
    <message>
        <source>%1 is not available with %2; use none</source>
        <translation>%1 不能与 %2 一起使用；请用 none</translation>
    </message>
    <message>
        <source>%1 is not available with %2; use none or %3</source>
        <translation>%1 不能与 %2 一起使用；请用 none 或 %3</translation>
    </message>
    <message>
        <source>the ranks of strategy.name local synchronize together, but parameter_server_async lets no rank wait for others; use parameter_server</source>
        <translation>strategy.name 为 local 时各 rank 一起同步，而 parameter_server_async 不让任何 rank 等待其他 rank；请用 parameter_server</translation>
    </message>
    <message>
        <source>%1 moves the optimizer state, and sgd has none; use none, or adam, adamw, momentum or nesterov</source>
        <translation>%1 移动的是优化器状态，而 sgd 没有；请用 none，或改用 adam、adamw、momentum、nesterov</translation>
    </message>
    <message>
        <source>host moves the optimizer state from a GPU to the host&apos;s memory, where ranks on the CPU have it already; use none or disk</source>
        <translation>host 把优化器状态从 GPU 移到主机内存，而 CPU 上的 rank 本来就把它放在那里；请用 none 或 disk</translation>
    </message>
    <message>
        <source>%1 does not divide %2 ranks into equal groups of at least two</source>
        <translation>%1 不能把 %2 个 rank 分成至少两个 rank 的等大的组</translation>
    </message>
    <message>
        <source>there is no rank %1 in a group; its ranks are 0 to %2</source>
        <translation>组内没有 rank %1；组内 rank 编号为 0 到 %2</translation>
    </message>
    <message>
        <source>%1 allocates arrays as training does for all_reduce; for %2 use both, in_place or out_of_place</source>
        <translation>%1 像训练那样为 all_reduce 分配数组；对于 %2 请用 both、in_place 或 out_of_place</translation>
    </message>
    <message>
        <source>%1 is made of messages that each rank sends one after the other; only the backend&apos;s own all-reduce (all_reduce) can be started asynchronously</source>
        <translation>%1 由各 rank 依次发送的消息组成；只有后端自带的 all-reduce（all_reduce）可以异步发起</translation>
    </message>
    <message>
        <source>an in-place send_recv cannot be started again before its result has been read; use sweep.buffers out_of_place</source>
        <translation>就地的 send_recv 在结果读出之前不能再次发起；请用 sweep.buffers out_of_place</translation>
    </message>
    <message>
        <source>only your own program (strategy.name own, rank.program) has such parameters</source>
        <translation>只有自己的程序（strategy.name own、rank.program）才有这样的参数</translation>
    </message>
    <message>
        <source>a quote is not closed in: %1</source>
        <translation>引号没有闭合：%1</translation>
    </message>
    <message>
        <source>strategy.name own needs the command that starts each rank, such as python3 train.py</source>
        <translation>strategy.name own 需要启动每个 rank 的命令，例如 python3 train.py</translation>
    </message>
    <message>
        <source>%1 does not declare it; it declares no parameters</source>
        <translation>%1 没有声明它；该脚本没有声明任何参数</translation>
    </message>
    <message>
        <source>%1 does not declare it; it declares %2</source>
        <translation>%1 没有声明它；该脚本声明了 %2</translation>
    </message>
    <message>
        <source>the parameters of %1 cannot be read without python3</source>
        <translation>没有 python3，无法读取 %1 的参数</translation>
    </message>
    <message>
        <source>the parameters of %1 could not be read in 10 s</source>
        <translation>未能在 10 s 内读取 %1 的参数</translation>
    </message>
    <message>
        <source>the parameters of %1 cannot be read: %2</source>
        <translation>无法读取 %1 的参数：%2</translation>
    </message>
    <message>
        <source>%1 is outside [%2, %3]</source>
        <translation>%1 超出 [%2, %3]</translation>
    </message>
    <message>
        <source>%1 is not one of %2</source>
        <translation>%1 不是 %2 之一</translation>
    </message>
    <message>
        <source>%1 is not a program that can be started: it is neither in PATH nor an executable file</source>
        <translation>%1 不是可以启动的程序：PATH 中没有它，它也不是可执行文件</translation>
    </message>
    <message>
        <source>there is no file %1</source>
        <translation>文件 %1 不存在</translation>
    </message>
    <message>
        <source>%1 is not true or false, as its default %2 is</source>
        <translation>%1 不是 true 或 false，而默认值 %2 是</translation>
    </message>
    <message>
        <source>%1 is not an integer, as its default %2 is</source>
        <translation>%1 不是整数，而默认值 %2 是整数</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is unknown; allowed are figures such as accuracy and parameters such as net.name</source>
        <translation>没有名为“%1”的列；可用的有 accuracy 等指标和 net.name 等参数</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is unknown; did you mean %2?</source>
        <translation>没有名为“%1”的列；是否指 %2？</translation>
    </message>
    <message>
        <source>&quot;%1&quot; may be %2 or %3; write the whole name</source>
        <translation>“%1”可能指 %2 或 %3；请写出全名</translation>
    </message>
    <message>
        <source>the quotation mark before &quot;%1&quot; is not closed</source>
        <translation>“%1”前的引号没有闭合</translation>
    </message>
    <message>
        <source>a &quot;)&quot; has no &quot;(&quot; before it</source>
        <translation>“)”之前缺少“(”</translation>
    </message>
    <message>
        <source>brackets are nested more than %1 deep</source>
        <translation>括号嵌套超过 %1 层</translation>
    </message>
    <message>
        <source>a &quot;(&quot; has no &quot;)&quot; after it</source>
        <translation>“(”之后缺少“)”</translation>
    </message>
    <message>
        <source>&quot;%1&quot; needs a column before it, as in accuracy &gt; 0.94</source>
        <translation>“%1”之前需要列名，例如 accuracy &gt; 0.94</translation>
    </message>
    <message>
        <source>something is missing after &quot;%1&quot;</source>
        <translation>“%1”之后缺少内容</translation>
    </message>
    <message>
        <source>something is missing before &quot;%1&quot;</source>
        <translation>“%1”之前缺少内容</translation>
    </message>
    <message>
        <source>&quot;%1&quot; needs a value after it, as in accuracy &gt; 0.94</source>
        <translation>“%1”之后需要一个值，例如 accuracy &gt; 0.94</translation>
    </message>
    <message>
        <source>%1 holds numbers, but &quot;%2&quot; is not a number</source>
        <translation>%1 是数值，而“%2”不是数</translation>
    </message>
    <message>
        <source>%1 is not a share, so &quot;%2&quot; has no meaning; write a number without %</source>
        <translation>%1 不是比例，“%2”没有意义；请写不带 % 的数</translation>
    </message>
    <message>
        <source>%1 is a share from 0 to 1; &quot;%2&quot; may mean %3 %</source>
        <translation>%1 是 0 到 1 之间的比例；“%2”可能应写作 %3 %</translation>
    </message>
    <message>
        <source>%1 is a date, but &quot;%2&quot; is not; write 2026-11-23, 2026-11-23T14:05, today or yesterday</source>
        <translation>%1 是日期，而“%2”不是；请写 2026-11-23、2026-11-23T14:05、today 或 yesterday</translation>
    </message>
    <message>
        <source>%1 is never &quot;%2&quot;; allowed are %3</source>
        <translation>%1 不会是“%2”；可用的值：%3</translation>
    </message>
    <message>
        <source>%1 is yes or no, not &quot;%2&quot;</source>
        <translation>%1 只能是 yes 或 no，不能是“%2”</translation>
    </message>
    <message>
        <source>%1 holds numbers; &quot;%2&quot; is for text</source>
        <translation>%1 是数值；“%2”用于文本</translation>
    </message>
    <message>
        <source>%1 holds text; allowed are =, !=, ~ and !~, not &quot;%2&quot;</source>
        <translation>%1 是文本；可用 =、!=、~ 和 !~，不能用“%2”</translation>
    </message>
    <message>
        <source>%1 is not a number, as its default %2 is</source>
        <translation>%1 不是数，而其默认值 %2 是数</translation>
    </message>
    <message>
        <source>choose two parameters</source>
        <translation>请选择两个参数</translation>
    </message>
    <message>
        <source>choose the values that variants take</source>
        <translation>请选择各变体取的值</translation>
    </message>
    <message>
        <source>there is no such parameter; choose one from the list</source>
        <translation>没有这个参数；请从列表中选择</translation>
    </message>
    <message>
        <source>cannot be read: %1</source>
        <translation>无法读取：%1</translation>
    </message>
    <message>
        <source>it is a folder</source>
        <translation>这是一个文件夹</translation>
    </message>
    <message>
        <source>is larger than 4 MiB, too large for an experiment</source>
        <translation>大于 4 MiB，不可能是实验文件</translation>
    </message>
    <message>
        <source>not saved: %1</source>
        <translation>未保存：%1</translation>
    </message>
    <message>
        <source>cannot be written: %1</source>
        <translation>无法写入：%1</translation>
    </message>
    <message>
        <source>variants times repeats give %1 runs; at most %2 are allowed</source>
        <translation>变体数乘以重复次数为 %1 次运行；最多允许 %2 次</translation>
    </message>
    <message>
        <source>a variant needs a name</source>
        <translation>变体需要名称</translation>
    </message>
    <message>
        <source>two variants cannot both be named %1</source>
        <translation>两个变体不能都叫 %1</translation>
    </message>
    <message>
        <source>unknown option; allowed: %1</source>
        <translation>未知选项；可用：%1</translation>
    </message>
    <message>
        <source>takes no value</source>
        <translation>不带值</translation>
    </message>
    <message>
        <source>needs a value, %1</source>
        <translation>需要一个值 %1</translation>
    </message>
    <message>
        <source>%1 is not a writable folder</source>
        <translation>%1 不是可写的文件夹</translation>
    </message>
    <message>
        <source>the charts could not be drawn into %1</source>
        <translation>无法把图表绘制到 %1</translation>
    </message>
    <message>
        <source>this build has no charts; build the desktop with ./run</source>
        <translation>此版本没有图表功能；请用 ./run 构建桌面程序</translation>
    </message>
    <message>
        <source>unknown verb &quot;%1&quot; (lockstep --help lists them all)</source>
        <translation>未知命令“%1”（lockstep --help 列出全部命令）</translation>
    </message>
    <message>
        <source>unknown verb &quot;%1&quot;; did you mean &quot;%2&quot;? (lockstep --help lists them all)</source>
        <translation>未知命令“%1”；是否指“%2”？（lockstep --help 列出全部命令）</translation>
    </message>
    <message>
        <source>the output could not be written to stdout</source>
        <translation>无法写到标准输出</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is not a supported language; allowed: en, zh</source>
        <translation>不支持语言“%1”；可选：en、zh</translation>
    </message>
    <message>
        <source>the PDF could not be drawn</source>
        <translation>无法绘制 PDF</translation>
    </message>
    <message>
        <source>the SVG could not be drawn</source>
        <translation>无法绘制 SVG</translation>
    </message>
    <message>
        <source>the PNG is too large: choose fewer dots per inch or a smaller size</source>
        <translation>PNG 过大：请降低分辨率或缩小尺寸</translation>
    </message>
    <message>
        <source>the PNG could not be made</source>
        <translation>无法生成 PNG</translation>
    </message>
    <message>
        <source>the lower end must be below the upper end</source>
        <translation>下限必须小于上限</translation>
    </message>
    <message>
        <source>the axis is logarithmic: its ends must be above 0</source>
        <translation>该坐标轴为对数轴：上下限必须大于 0</translation>
    </message>
    <message>
        <source>these runs have no machine samples: they were too short, or were recorded before Lockstep took such samples</source>
        <translation>这些运行没有机器采样：运行时间过短，或早于该功能</translation>
    </message>
    <message>
        <source>has no spans to draw</source>
        <translation>没有可绘制的区段</translation>
    </message>
    <message>
        <source>applies only to charts, but --format names no chart format; formats allowed with it: %1</source>
        <translation>只用于图表，而 --format 中没有图表的格式；可与之同用的格式：%1</translation>
    </message>
    <message>
        <source>ran on %1 hosts whose clocks were not compared; its times cannot be put on one axis</source>
        <translation>在 %1 台主机上运行，而主机之间没有比较过时钟；其时间无法画在同一坐标轴上</translation>
    </message>
    <message>
        <source>the folder %1 cannot be made</source>
        <translation>无法创建文件夹 %1</translation>
    </message>
    <message>
        <source>%1 is not a chart; allowed: %2</source>
        <translation>没有名为 %1 的图表；可选：%2</translation>
    </message>
    <message>
        <source>%1 is not a format; allowed: %2</source>
        <translation>没有名为 %1 的格式；可选：%2</translation>
    </message>
    <message>
        <source>%1 is not a number in [%2, %3]</source>
        <translation>%1 不是 [%2, %3] 内的数</translation>
    </message>
    <message>
        <source>%1 is not a legend position; allowed: %2</source>
        <translation>%1 不是图例的位置；可选：%2</translation>
    </message>
    <message>
        <source>%1 is not LOW:HIGH, two numbers of which one may be left out</source>
        <translation>%1 不是 LOW:HIGH 形式的两个数（可省略其一）</translation>
    </message>
    <message>
        <source>%1 is neither mean nor each</source>
        <translation>%1 既不是 mean 也不是 each</translation>
    </message>
    <message>
        <source>its header is not that of a safetensors file, or it is cut off</source>
        <translation>其文件头不是 safetensors 文件的，或数据不完整</translation>
    </message>
    <message>
        <source>its tensor %1 does not fit its bytes</source>
        <translation>其张量 %1 与其字节不符</translation>
    </message>
    <message>
        <source>its tensor %1 is of an unknown type, %2</source>
        <translation>其张量 %1 的类型 %2 未知</translation>
    </message>
    <message>
        <source>two of its tensors are named %1</source>
        <translation>有两个张量同名：%1</translation>
    </message>
    <message>
        <source>needs --weights CHECKPOINT</source>
        <translation>需要 --weights CHECKPOINT</translation>
    </message>
    <message>
        <source>%1 was written by an earlier version of Lockstep (its manifest is of version %2, this program reads %3); use that version (commit e609644f or before), or train again</source>
        <translation>%1 由较早版本的 Lockstep 写成（其清单为版本 %2，本程序读取版本 %3）；请使用该版本（提交 e609644f 或更早），或重新训练</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is unknown; allowed: %2</source>
        <translation>未知的“%1”；可取：%2</translation>
    </message>
    <message>
        <source>needs a text, or {&quot;en&quot;: &quot;...&quot;, &quot;zh&quot;: &quot;...&quot;}</source>
        <translation>需要一段文字，或 {&quot;en&quot;: &quot;...&quot;, &quot;zh&quot;: &quot;...&quot;}</translation>
    </message>
    <message>
        <source>%1 is not a text in a known language; allowed: en, zh</source>
        <translation>%1 不是已知语言的文字；可取：en、zh</translation>
    </message>
    <message>
        <source>needs a name</source>
        <translation>需要一个名称</translation>
    </message>
    <message>
        <source>needs a list of names</source>
        <translation>需要一个名称列表</translation>
    </message>
    <message>
        <source>needs an object</source>
        <translation>需要一个对象</translation>
    </message>
    <message>
        <source>needs true or false</source>
        <translation>需要 true 或 false</translation>
    </message>
    <message>
        <source>needs one of %1</source>
        <translation>需要以下之一：%1</translation>
    </message>
    <message>
        <source>needs &quot;%1&quot;</source>
        <translation>需要“%1”</translation>
    </message>
    <message>
        <source>needs a list</source>
        <translation>需要一个列表</translation>
    </message>
    <message>
        <source>needs a list with at least one section</source>
        <translation>需要至少含一节的列表</translation>
    </message>
    <message>
        <source>&quot;%1&quot; appears twice</source>
        <translation>“%1”出现了两次</translation>
    </message>
    <message>
        <source>the template is larger than 1 MiB</source>
        <translation>模板大于 1 MiB</translation>
    </message>
    <message>
        <source>the template is not JSON</source>
        <translation>模板不是 JSON</translation>
    </message>
    <message>
        <source>a template of this version of Lockstep has &quot;version&quot;: 1</source>
        <translation>此版本 Lockstep 的模板应含 &quot;version&quot;: 1</translation>
    </message>
    <message>
        <source>grid is too long for one script; use data, pipeline or tensor, each of which fits in one</source>
        <translation>grid 的脚本过长；请用 data、pipeline 或 tensor，它们各自可以写成一个脚本</translation>
    </message>
    <message>
        <source>own is already your own program</source>
        <translation>own 本来就是自己的程序</translation>
    </message>
    <message>
        <source>%1 does not train a net; scripts are written for single, data, local, pipeline, tensor or zero</source>
        <translation>%1 不训练网络：只能为 single、data、local、pipeline、tensor 或 zero 写脚本</translation>
    </message>
    <message>
        <source>%1 has no equivalent in torch.distributed: FSDP shards differently and needs GPUs in PyTorch 1.13; for stage 1 a script is written, with ZeroRedundancyOptimizer</source>
        <translation>%1 在 torch.distributed 中没有对应的实现：FSDP 的分片方式不同，在 PyTorch 1.13 中还需要 GPU；阶段 1 可用 ZeroRedundancyOptimizer 写成脚本</translation>
    </message>
    <message>
        <source>%1 has no equivalent in torch.distributed; use none</source>
        <translation>%1 在 torch.distributed 中没有对应的实现；请用 none</translation>
    </message>
    <message>
        <source>interleaved is too long for one script; use gpipe or 1f1b</source>
        <translation>interleaved 的脚本过长；请用 gpipe 或 1f1b</translation>
    </message>
    <message>
        <source>a script with strategy.name tensor splits linear layers, not the convolutions of %1; use logistic, mlp or deep-mlp</source>
        <translation>strategy.name 为 tensor 的脚本只切分线性层，不切分 %1 的卷积；请用 logistic、mlp 或 deep-mlp</translation>
    </message>
    <message>
        <source>%1 rounds differently under torch.autocast, so the script&apos;s losses would differ; use float32</source>
        <translation>%1 在 torch.autocast 下的舍入不同，脚本的损失会不一样；请用 float32</translation>
    </message>
    <message>
        <source>the script does not compute the norm of a gradient whose parts are on several ranks; use 0</source>
        <translation>梯度分布在多个 rank 上时，脚本不计算其范数；请用 0</translation>
    </message>
    <message>
        <source>a script starts with the initial weights, not with those of a checkpoint; leave it empty</source>
        <translation>脚本从初始权重开始，而不是从检查点的权重开始；请留空</translation>
    </message>
    <message>
        <source>parameter_server_async depends on which gradient arrives first, so no script can repeat its losses; use parameter_server</source>
        <translation>parameter_server_async 取决于哪个梯度先到达，任何脚本都无法重复其损失；请用 parameter_server</translation>
    </message>
    <message>
        <source>torch.distributed does not emulate links; use 0</source>
        <translation>torch.distributed 不模拟链路；请用 0</translation>
    </message>
    <message>
        <source>%1 is not a valid script name: use letters, digits, -, _ and .; it must end with .py</source>
        <translation>%1 不能作为脚本的名称：请用字母、数字、-、_ 和 .，并以 .py 结尾</translation>
    </message>
    <message>
        <source>is neither a template nor a file; templates: %1</source>
        <translation>既不是模板也不是文件；模板有：%1</translation>
    </message>
    <message>
        <source>not a saved view: its entry %1 is missing, unknown or not allowed</source>
        <translation>不是已保存的视图：条目 %1 缺失、未知或不允许</translation>
    </message>
    <message>
        <source>not a saved view: %1</source>
        <translation>不是已保存的视图：%1</translation>
    </message>
    <message>
        <source>saved by a newer version of Lockstep</source>
        <translation>由更新版本的 Lockstep 保存</translation>
    </message>
    <message>
        <source>cannot be deleted: %1</source>
        <translation>无法删除：%1</translation>
    </message>
    <message>
        <source>is larger than 1 MiB, too large for a saved view</source>
        <translation>大于 1 MiB，不可能是已保存的视图</translation>
    </message>
    <message>
        <source>a cell is too long, or there are too many cells</source>
        <translation>单元格过长，或单元格过多</translation>
    </message>
    <message>
        <source>a quotation mark is not closed</source>
        <translation>引号没有闭合</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is not a number</source>
        <translation>“%1”不是数值</translation>
    </message>
    <message>
        <source>it has %1 cells, the first line %2</source>
        <translation>有 %1 个单元格，而第一行有 %2 个</translation>
    </message>
    <message>
        <source>it has more than %1 bytes</source>
        <translation>超过 %1 字节</translation>
    </message>
    <message>
        <source>its first line must name a column of steps and at least one other column</source>
        <translation>第一行必须给出步数列和至少另一列的名称</translation>
    </message>
    <message>
        <source>record %1 does not match its checksum</source>
        <translation>第 %1 条记录的校验和不符</translation>
    </message>
    <message>
        <source>it has no curve</source>
        <translation>其中没有曲线</translation>
    </message>
    <message>
        <source>step %1 is negative</source>
        <translation>步数 %1 为负</translation>
    </message>
    <message>
        <source>the name has more than %1 bytes</source>
        <translation>名称超过 %1 字节</translation>
    </message>
    <message>
        <source>there are more than %1 curves</source>
        <translation>曲线超过 %1 条</translation>
    </message>
    <message>
        <source>there are more than %1 points</source>
        <translation>数据点超过 %1 个</translation>
    </message>
    <message>
        <source>%1 is not empty: name another folder</source>
        <translation>%1 不是空文件夹：请指定另一个文件夹</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is not one of %2</source>
        <translation>“%1”不是以下之一：%2</translation>
    </message>
    <message>
        <source>%1 chooses the hosts itself: leave it out</source>
        <translation>%1 自行选择主机：请省略此项</translation>
    </message>
    <message>
        <source>program=%1 of %2 has no effect here: set LOCKSTEP_RANK on that host</source>
        <translation>%2 的 program=%1 在此不起作用：请在该主机上设置 LOCKSTEP_RANK</translation>
    </message>
    <message>
        <source>on other hosts only lockstep-rank is started, not `%1`</source>
        <translation>在其他主机上只能启动 lockstep-rank，不能启动 `%1`</translation>
    </message>
    <message>
        <source>mpi is started by mpirun, not by ssh or srun; use auto, hierarchical or gloo</source>
        <translation>mpi 由 mpirun 启动，而非 ssh 或 srun；请用 auto、hierarchical 或 gloo</translation>
    </message>
    <message>
        <source>ssh needs --hosts FILE</source>
        <translation>ssh 需要 --hosts FILE</translation>
    </message>
    <message>
        <source>needs --launch ssh</source>
        <translation>需要 --launch ssh</translation>
    </message>
    <message>
        <source>wait needs --listen ADDRESS[:PORT] and --workbench-file FILE</source>
        <translation>wait 需要 --listen ADDRESS[:PORT] 和 --workbench-file FILE</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is not an address and a port: 10.0.0.5, 10.0.0.5:7000 or [fd00::5]:7000</source>
        <translation>“%1”不是地址和端口：应为 10.0.0.5、10.0.0.5:7000 或 [fd00::5]:7000</translation>
    </message>
    <message>
        <source>%1 means every address: give the one at which the ranks reach this machine</source>
        <translation>%1 表示所有地址：请给出 rank 连接本机所用的那个地址</translation>
    </message>
    <message>
        <source>needs --launch wait</source>
        <translation>需要 --launch wait</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is not local, ssh, slurm or wait (lockstep launch writes files for other launchers)</source>
        <translation>“%1”不是 local、ssh、slurm 或 wait（其他启动器所需的文件由 lockstep launch 写出）</translation>
    </message>
    <message>
        <source>--launch wait is for lockstep-rank, not for `%1`</source>
        <translation>--launch wait 用于 lockstep-rank，不能用于 `%1`</translation>
    </message>
    <message>
        <source>a format, not a verb: lockstep export RUN --format %1 --out DIR</source>
        <translation>是格式而不是命令：lockstep export RUN --format %1 --out DIR</translation>
    </message>
    <message>
        <source>mpi needs Open MPI&apos;s mpirun, which is not in PATH; run: sudo apt-get install openmpi-bin; or use auto, shm or gloo</source>
        <translation>mpi 需要 Open MPI 的 mpirun，但 PATH 中没有；请运行 sudo apt-get install openmpi-bin，或使用 auto、shm 或 gloo</translation>
    </message>
    <message>
        <source>mpi, but lockstep-rank was built without MPI; run: sudo apt-get install libopenmpi-dev openmpi-bin &amp;&amp; ./run --build-only; or use auto, shm or gloo</source>
        <translation>mpi，但 lockstep-rank 构建时没有 MPI；请运行 sudo apt-get install libopenmpi-dev openmpi-bin &amp;&amp; ./run --build-only，或使用 auto、shm 或 gloo</translation>
    </message>
    <message>
        <source>%1 has %2 bytes, not a multiple of %3 (a label and an image of 3 x 32 x 32); choose the folder with the .bin files of %4, or unpack that into %5</source>
        <translation>%1 有 %2 字节，不是 %3（一个标签和一幅 3 x 32 x 32 的图像）的倍数；请选择含有 %4 中 .bin 文件的文件夹，或将其解压到 %5</translation>
    </message>
    <message>
        <source>%1 has %2 bytes, not a multiple of %3 (two labels and an image of 3 x 32 x 32); choose the folder with the .bin files of %4, or unpack that into %5</source>
        <translation>%1 有 %2 字节，不是 %3（两个标签和一幅 3 x 32 x 32 的图像）的倍数；请选择含有 %4 中 .bin 文件的文件夹，或将其解压到 %5</translation>
    </message>
    <message>
        <source>%1 has %2 bytes, more than 16 GiB</source>
        <translation>%1 有 %2 字节，超过 16 GiB</translation>
    </message>
    <message>
        <source>the folder &quot;%1&quot; does not exist; choose the folder with the .bin files of %2, or unpack that into %3</source>
        <translation>文件夹“%1”不存在；请选择含有 %2 中 .bin 文件的文件夹，或将其解压到 %3</translation>
    </message>
    <message>
        <source>%1 has no %2; choose the folder with the .bin files of %3, or unpack that into %4</source>
        <translation>%1 中没有 %2；请选择含有 %3 中 .bin 文件的文件夹，或将其解压到 %4</translation>
    </message>
    <message>
        <source>%1 cannot be read: %2</source>
        <translation>无法读取 %1：%2</translation>
    </message>
    <message>
        <source>%1: label %2 of sample %3 is outside 0 to %4</source>
        <translation>%1：第 %3 个样本的标签 %2 不在 0 到 %4 之间</translation>
    </message>
    <message>
        <source>%1: line %2 is longer than %3 bytes</source>
        <translation>%1：第 %2 行超过 %3 字节</translation>
    </message>
    <message>
        <source>%1 has %2 columns; needed are a label and the pixels of a square image of at most 256 x 256 (785 columns for 28 x 28)</source>
        <translation>%1 有 %2 列；需要一列标签和一幅不超过 256 x 256 的正方形图像的像素（28 x 28 为 785 列）</translation>
    </message>
    <message>
        <source>%1: line %2, column %3: &quot;%4&quot; is not a whole number from 0 to 255</source>
        <translation>%1：第 %2 行第 %3 列：“%4”不是 0 到 255 的整数</translation>
    </message>
    <message>
        <source>%1: line %2 has %3 values, the first one has %4</source>
        <translation>%1：第 %2 行有 %3 个值，第一行有 %4 个</translation>
    </message>
    <message>
        <source>%1 has more images than fit in 16 GiB</source>
        <translation>%1 中的图像超过 16 GiB</translation>
    </message>
    <message>
        <source>%1 has no images</source>
        <translation>%1 中没有图像</translation>
    </message>
    <message>
        <source>the file &quot;%1&quot; does not exist; choose a CSV file</source>
        <translation>文件“%1”不存在；请选择一个 CSV 文件</translation>
    </message>
    <message>
        <source>%1 has %2 CSV files that could be the training images; choose the file</source>
        <translation>%1 中有 %2 个可能是训练图像的 CSV 文件；请选择其中一个</translation>
    </message>
    <message>
        <source>%1 has %2 images; its last sixth is for testing, so at least 6 are needed</source>
        <translation>%1 有 %2 幅图像；最后六分之一用于测试，因此至少需要 6 幅</translation>
    </message>
    <message>
        <source>%1 has %2 columns, but %4 has %3</source>
        <translation>%1 有 %2 列，而 %4 有 %3 列</translation>
    </message>
    <message>
        <source>%1 is cut off: its header says %2 bytes of data, it has %3</source>
        <translation>%1 不完整：文件头说有 %2 字节数据，实际有 %3</translation>
    </message>
    <message>
        <source>%1 is longer than the %2 bytes of data that its header says</source>
        <translation>%1 比文件头所说的 %2 字节数据更长</translation>
    </message>
    <message>
        <source>%1 is damaged: %2</source>
        <translation>%1 已损坏：%2</translation>
    </message>
    <message>
        <source>%1 is cut off: its compressed data stops before its end</source>
        <translation>%1 不完整：压缩数据提前结束</translation>
    </message>
    <message>
        <source>%1 is cut off: %2 bytes, its header says %3</source>
        <translation>%1 不完整：有 %2 字节，文件头说有 %3</translation>
    </message>
    <message>
        <source>%1 says it has %2 bytes of data, more than its %3 compressed bytes can hold</source>
        <translation>%1 声称有 %2 字节数据，超过其 %3 字节压缩数据所能容纳的量</translation>
    </message>
    <message>
        <source>%1 has magic %2, images need %3</source>
        <translation>%1 的魔数为 %2，图像需要 %3</translation>
    </message>
    <message>
        <source>%1 has magic %2, labels need %3, or %4 (QMNIST&apos;s)</source>
        <translation>%1 的魔数为 %2，标签需要 %3，或 %4（QMNIST）</translation>
    </message>
    <message>
        <source>%1 is cut off: %2 bytes, its header alone needs %3</source>
        <translation>%1 不完整：有 %2 字节，仅文件头就需要 %3</translation>
    </message>
    <message>
        <source>%1 says it has %2 numbers for each label, allowed are 1 to %3</source>
        <translation>%1 声称每个标签有 %2 个数，允许 1 到 %3</translation>
    </message>
    <message>
        <source>%1 says its images have a side of %2, allowed are 1 to %3</source>
        <translation>%1 声称图像边长为 %2，允许 1 到 %3</translation>
    </message>
    <message>
        <source>%1 says it has %2 entries, allowed are 1 to what fits in 16 GiB</source>
        <translation>%1 声称有 %2 项，允许 1 项到 16 GiB 所能容纳的项数</translation>
    </message>
    <message>
        <source>%1 has %2 images, but %4 has %3 labels</source>
        <translation>%1 有 %2 幅图像，而 %4 有 %3 个标签</translation>
    </message>
    <message>
        <source>%1 has training images of %2, but %4 has test images of %3</source>
        <translation>%1 的训练图像为 %2，而 %4 的测试图像为 %3</translation>
    </message>
    <message>
        <source>%1 has several data sets (%2); choose the file of the training images of one of them</source>
        <translation>%1 中有多个数据集（%2）；请选择其中一个的训练图像文件</translation>
    </message>
    <message>
        <source>%1 is not named like a file of an IDX data set (train-images-idx3-ubyte, with .gz or a prefix); choose the folder or the training images</source>
        <translation>%1 的名称不像 IDX 数据集的文件（train-images-idx3-ubyte，可带 .gz 或前缀）；请选择文件夹或训练图像</translation>
    </message>
    <message>
        <source>the folder &quot;%1&quot; does not exist; choose the folder with the four IDX files</source>
        <translation>文件夹“%1”不存在；请选择含有四个 IDX 文件的文件夹</translation>
    </message>
    <message>
        <source>%1 has neither %2 nor %3</source>
        <translation>%1 中既没有 %2 也没有 %3</translation>
    </message>
    <message>
        <source>%1: %2 is no array of numpy</source>
        <translation>%1：%2 不是 NumPy 数组</translation>
    </message>
    <message>
        <source>%1: %2 is an array of pickled Python objects, which is not read; save numbers</source>
        <translation>%1：%2 是 pickle 的 Python 对象数组，不会读取；请保存为数值</translation>
    </message>
    <message>
        <source>%1: %2 has numbers of type %3; allowed are uint8 (|u1), int32, int64 and float32</source>
        <translation>%1：%2 的数值类型为 %3；允许 uint8（|u1）、int32、int64 和 float32</translation>
    </message>
    <message>
        <source>%1: %2 has no shape of at most 4 dimensions in C order</source>
        <translation>%1：%2 没有 C 顺序的不超过 4 维的形状</translation>
    </message>
    <message>
        <source>%1: %2 has %3 bytes of numbers, which do not fit the shape in its header</source>
        <translation>%1：%2 有 %3 字节数值，与文件头中的形状不符</translation>
    </message>
    <message>
        <source>%1: number %3 of %2 is not a whole number from 0 to 255; save the images as uint8, not scaled</source>
        <translation>%1：%2 的第 %3 个数不是 0 到 255 的整数；请将图像保存为未缩放的 uint8</translation>
    </message>
    <message>
        <source>%1: %2 is not of shape (images, rows, columns) or (images, rows, columns, channels)</source>
        <translation>%1：%2 的形状不是（图像，行，列）或（图像，行，列，通道）</translation>
    </message>
    <message>
        <source>%1: %2 has not one label for each of the %4 images of %3</source>
        <translation>%1：%2 没有为 %3 的 %4 幅图像各给出一个标签</translation>
    </message>
    <message>
        <source>%1 has no array %2; needed are x_train, y_train, x_test and y_test</source>
        <translation>%1 中没有数组 %2；需要 x_train、y_train、x_test 和 y_test</translation>
    </message>
    <message>
        <source>%1 has training images of another size than its test images</source>
        <translation>%1 的训练图像与测试图像大小不同</translation>
    </message>
    <message>
        <source>the file &quot;%1&quot; does not exist; choose an .npz file</source>
        <translation>文件“%1”不存在；请选择一个 .npz 文件</translation>
    </message>
    <message>
        <source>the file &quot;%1&quot; does not exist; choose a text file, or leave it empty</source>
        <translation>文件“%1”不存在；请选择一个文本文件，或留空</translation>
    </message>
    <message>
        <source>the spec was made for %1 classes of %2 images, but the files here have %3 classes of %4; use the same files, or remove `data` from the spec</source>
        <translation>该规格对应 %1 个类别的 %2 图像，而此处的文件有 %3 个类别，图像为 %4；请使用相同的文件，或从规格中删除 `data`</translation>
    </message>
    <message>
        <source>%1 is more than the %2 samples available</source>
        <translation>%1 超过现有的 %2 个样本</translation>
    </message>
    <message>
        <source>%1 is no zip archive, or is cut off</source>
        <translation>%1 不是 zip 归档，或不完整</translation>
    </message>
    <message>
        <source>%1: %2 is encrypted or compressed with method %3; allowed are stored and deflated</source>
        <translation>%1：%2 已加密，或使用压缩方法 %3；允许不压缩和 deflate</translation>
    </message>
    <message>
        <source>%1: %2 has 4 GiB or more</source>
        <translation>%1：%2 达到或超过 4 GiB</translation>
    </message>
    <message>
        <source>%1: %2 says it has %3 bytes, more than its %4 packed bytes can hold</source>
        <translation>%1：%2 声称有 %3 字节，超过其 %4 字节压缩数据所能容纳的量</translation>
    </message>
    <message>
        <source>%1: %2 is damaged</source>
        <translation>%1：%2 已损坏</translation>
    </message>
    <message>
        <source>data.%1 is missing or not a whole number from %2 to %3</source>
        <translation>data.%1 缺失，或不是 %2 到 %3 的整数</translation>
    </message>
    <message>
        <source>%1 does not take images of %2 x %3; cnn needs square ones from 6 x 6, lenet5 square ones of an even side up to 32; use mlp</source>
        <translation>%1 不接受 %2 x %3 的图像；cnn 需要不小于 6 x 6 的正方形图像，lenet5 需要边长为偶数且不超过 32 的正方形图像；请使用 mlp</translation>
    </message>
    <message>
        <source>a data set of your own needs its file</source>
        <translation>自备的数据集需要指定文件</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is not a whole number</source>
        <translation>“%1”不是整数</translation>
    </message>
    <message>
        <source>it is no text: it contains zero bytes</source>
        <translation>不是文本：含有零字节</translation>
    </message>
    <message>
        <source>a script for gpt trains with single or data, not with %1</source>
        <translation>gpt 的脚本只能用 single 或 data 训练，不能用 %1</translation>
    </message>
    <message>
        <source>%1 is not a paper; allowed: %2</source>
        <translation>%1 不是版式；可选：%2</translation>
    </message>
    <message>
        <source>this build has no window; build the desktop with ./run</source>
        <translation>此构建没有窗口；请用 ./run 构建桌面程序</translation>
    </message>
    <message>
        <source>on, but MPS cannot run: %1; use auto or off</source>
        <translation>on，但 MPS 不能运行：%1；请用 auto 或 off</translation>
    </message>
    <message>
        <source>%1 needs an NVIDIA GPU, but none was found (no /proc/driver/nvidia/gpus, /dev/nvidia0 or /dev/dxg), and the CUDA flavour of lockstep-rank, which is not installed (%3); %2</source>
        <translation>%1 需要 NVIDIA GPU，但未找到（没有 /proc/driver/nvidia/gpus、/dev/nvidia0 或 /dev/dxg），还需要 CUDA 版 lockstep-rank，但未安装（%3）；%2</translation>
    </message>
    <message>
        <source>%1 needs the CUDA flavour of lockstep-rank, which is not installed (%3); %2</source>
        <translation>%1 需要 CUDA 版 lockstep-rank，但未安装（%3）；%2</translation>
    </message>
    <message>
        <source>mpi, but the rank programs of the Python package have no MPI; use auto, shm or gloo</source>
        <translation>mpi，但 Python 软件包的 rank 程序不含 MPI；请用 auto、shm 或 gloo</translation>
    </message>
    <message>
        <source>on, but this run uses the CPU; use auto or off</source>
        <translation>on，但此运行使用 CPU；请用 auto 或 off</translation>
    </message>
    <message>
        <source>the script has no faults, so its losses would differ; use 1</source>
        <translation>脚本不含故障，损失会不同；请使用 1</translation>
    </message>
    <message>
        <source>needs either --install or --remove</source>
        <translation>需要 --install 或 --remove 之一</translation>
    </message>
    <message>
        <source>mpi, but %1 was built without MPI; use another rank program, or auto, shm or gloo</source>
        <translation>mpi，但 %1 构建时没有 MPI；请换用其他 rank 程序，或用 auto、shm 或 gloo</translation>
    </message>
    <message>
        <source>EPS is made by pdftops, which is not installed: install poppler-utils (apt-get install poppler-utils), or choose PDF</source>
        <translation>EPS 由 pdftops 生成，但未安装它：请安装 poppler-utils（apt-get install poppler-utils），或选择 PDF</translation>
    </message>
    <message>
        <source>pdftops could not turn the PDF into EPS: choose PDF</source>
        <translation>pdftops 无法把 PDF 转换为 EPS：请选择 PDF</translation>
    </message>
    <message>
        <source>PGFPlots draws charts only; allowed for “%1”: PDF, SVG, PNG, EPS, CSV</source>
        <translation>PGFPlots 只能绘制图表；“%1”可选：PDF、SVG、PNG、EPS、CSV</translation>
    </message>
</context>
<context>
    <name>Report</name>
    <message>
        <source>Figure</source>
        <translation>图</translation>
    </message>
    <message>
        <source>Table</source>
        <translation>表</translation>
    </message>
    <message>
        <source>Write your answer here.</source>
        <translation>请在此处作答。</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>姓名</translation>
    </message>
    <message>
        <source>Student number</source>
        <translation>学号</translation>
    </message>
    <message>
        <source>Date</source>
        <translation>日期</translation>
    </message>
    <message>
        <source>The chosen runs have no data on this.</source>
        <translation>所选运行没有这方面的数据。</translation>
    </message>
    <message>
        <source>Settings that all runs have in common</source>
        <translation>所有运行共同的设置</translation>
    </message>
    <message>
        <source>The variants and what they differ in</source>
        <translation>各变体及其不同的设置</translation>
    </message>
    <message>
        <source>Median time of a collective by message size</source>
        <translation>不同消息大小下集合通信的时间中位数</translation>
    </message>
    <message>
        <source>Runs that are left out</source>
        <translation>未计入的运行</translation>
    </message>
    <message>
        <source>Results by variant; with repeats, means and 95 % confidence intervals</source>
        <translation>各变体的结果；有重复时为均值与 95% 置信区间</translation>
    </message>
    <message>
        <source>had not ended when this report was made</source>
        <translation>生成报告时尚未结束</translation>
    </message>
    <message>
        <source>yes</source>
        <translation>是</translation>
    </message>
    <message>
        <source>no</source>
        <translation>否</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>Status</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>Steps</source>
        <translation>步数</translation>
    </message>
    <message>
        <source>Reason</source>
        <translation>原因</translation>
    </message>
    <message>
        <source>Setting</source>
        <translation>设置</translation>
    </message>
    <message>
        <source>Value</source>
        <translation>值</translation>
    </message>
    <message>
        <source>Variant</source>
        <translation>变体</translation>
    </message>
    <message>
        <source>Settings that differ</source>
        <translation>不同的设置</translation>
    </message>
    <message>
        <source>Message size</source>
        <translation>消息大小</translation>
    </message>
    <message>
        <source>Repeats differ in their seed only; their means are given with 95 % confidence intervals (Student&apos;s t; for accuracies on the logit scale).</source>
        <translation>各次重复仅种子不同；给出均值与 95% 置信区间（Student t 分布；准确率在 logit 尺度上计算）。</translation>
    </message>
    <message>
        <source>Each variant ran with one seed, so small differences may be chance.</source>
        <translation>每个变体只用一个种子运行，因此较小的差异可能出于偶然。</translation>
    </message>
    <message>
        <source>%1 (%2 cores)</source>
        <translation>%1（%2 核）</translation>
    </message>
    <message>
        <source>Machine</source>
        <translation>机器</translation>
    </message>
    <message>
        <source>GPU</source>
        <translation>GPU</translation>
    </message>
    <message>
        <source>Machine and versions, as the runs recorded them</source>
        <translation>运行所记录的机器与版本</translation>
    </message>
    <message>
        <source>Item</source>
        <translation>项目</translation>
    </message>
    <message>
        <source>Device of rank 0</source>
        <translation>rank 0 的设备</translation>
    </message>
    <message>
        <source>Data set</source>
        <translation>数据集</translation>
    </message>
    <message>
        <source>Parameters of the net</source>
        <translation>网络参数量</translation>
    </message>
    <message>
        <source>Communication</source>
        <translation>通信</translation>
    </message>
    <message>
        <source>This report was made with</source>
        <translation>生成本报告的程序</translation>
    </message>
    <message>
        <source>To repeat it, save the spec of the appendix as spec.json. The first command runs it, the second makes this report. On the CPU, equal specs give equal losses; times depend on the machine.</source>
        <translation>如需重复，请将附录中的实验设定保存为 spec.json。第一条命令运行实验，第二条生成本报告。在 CPU 上，相同的设定得到相同的损失；时间取决于机器。</translation>
    </message>
    <message>
        <source>Ranks</source>
        <translation>rank 数</translation>
    </message>
    <message>
        <source>Speed-up</source>
        <translation>加速比</translation>
    </message>
    <message>
        <source>n</source>
        <translation>n</translation>
    </message>
    <message>
        <source>Chart: %1. Horizontal axis: %2; vertical axis: %3.</source>
        <translation>图表：%1。横轴：%2；纵轴：%3。</translation>
    </message>
    <message>
        <source>variants</source>
        <translation>变体</translation>
    </message>
    <message>
        <source>Shown are: %1.</source>
        <translation>图中包括：%1。</translation>
    </message>
    <message>
        <source>changed by hand while it ran</source>
        <translation>运行期间被手动更改</translation>
    </message>
    <message>
        <source>%1 (imported)</source>
        <translation>%1（导入）</translation>
    </message>
    <message>
        <source>Seed: %1.</source>
        <translation>种子：%1。</translation>
    </message>
    <message>
        <source>Seeds: %1.</source>
        <translation>种子：%1。</translation>
    </message>
    <message>
        <source>%1 (from %2)</source>
        <translation>%1（来自 %2）</translation>
    </message>
    <message>
        <source>Imported from a file, and not measured in this store: %1.</source>
        <translation>从文件导入、并非在本运行库中测得：%1。</translation>
    </message>
    <message>
        <source>%1 (one core)</source>
        <translation>%1（1 核）</translation>
    </message>
    <message>
        <source>chosen by Lockstep</source>
        <translation>由 Lockstep 选择</translation>
    </message>
    <message>
        <source>Efficiency (%)</source>
        <translation>效率（%）</translation>
    </message>
    <message>
        <source>This report is based on %1.</source>
        <translation>本报告依据 %1。</translation>
    </message>
    <message>
        <source>None of them counts, so this report has no results.</source>
        <translation>其中没有可计入的运行，因此本报告没有结果。</translation>
    </message>
    <message>
        <source>Times per step are geometric means over blocks of steps after the first %1, without evaluation, pauses and blocks in which a run stalled.</source>
        <translation>每步耗时为前 %1 步之后各段的几何均值，不含评估、暂停以及运行停顿的段。</translation>
    </message>
    <message>
        <source>The numbers of the answer</source>
        <translation>结论所依据的数值</translation>
    </message>
    <message>
        <source>Class</source>
        <translation>班级</translation>
    </message>
    <message>
        <source>Course</source>
        <translation>课程</translation>
    </message>
    <message>
        <source>Not run.</source>
        <translation>未运行。</translation>
    </message>
    <message>
        <source>lower</source>
        <translation>更低</translation>
    </message>
    <message>
        <source>higher</source>
        <translation>更高</translation>
    </message>
    <message>
        <source>the same</source>
        <translation>相同</translation>
    </message>
    <message>
        <source>%1, from %2 to %3</source>
        <translation>%1，范围 %2 到 %3</translation>
    </message>
    <message>
        <source>a drawn curve</source>
        <translation>手绘曲线</translation>
    </message>
    <message>
        <source>Added later: %1</source>
        <translation>事后补充：%1</translation>
    </message>
    <message>
        <source>No prediction.</source>
        <translation>没有预测。</translation>
    </message>
    <message>
        <source>Predicted</source>
        <translation>预测</translation>
    </message>
    <message>
        <source>Measured</source>
        <translation>测量</translation>
    </message>
    <message>
        <source>Reason given before: %1</source>
        <translation>事先给出的理由：%1</translation>
    </message>
    <message>
        <source>No claim.</source>
        <translation>没有论断。</translation>
    </message>
    <message>
        <source>What was sealed, and when</source>
        <translation>封存的内容和时间</translation>
    </message>
    <message>
        <source>Holds. %1</source>
        <translation>成立。%1</translation>
    </message>
    <message>
        <source>Does not hold. %1</source>
        <translation>不成立。%1</translation>
    </message>
    <message>
        <source>Cannot be told. %1</source>
        <translation>无法判断。%1</translation>
    </message>
    <message>
        <source> (beyond the axis: %1)</source>
        <comment>end of a caption</comment>
        <translation>（超出坐标轴：%1）</translation>
    </message>
    <message>
        <source>Code not checked.</source>
        <translation>代码未检查。</translation>
    </message>
    <message>
        <source>Code right on the student&apos;s computer, after %1 checks.</source>
        <translation>代码在学生的计算机上正确，检查了 %1 次。</translation>
    </message>
    <message>
        <source>Code not right yet on the student&apos;s computer, after %1 checks.</source>
        <translation>代码在学生的计算机上尚不正确，检查了 %1 次。</translation>
    </message>
    <message>
        <source>%1 (optional)</source>
        <translation>%1（选做）</translation>
    </message>
    <message>
        <source>Code right on the student&apos;s computer, at the first check.</source>
        <translation>代码在学生的计算机上第一次检查即正确。</translation>
    </message>
    <message>
        <source>Code not right yet on the student&apos;s computer, after 1 check.</source>
        <translation>代码在学生的计算机上尚不正确，检查了 1 次。</translation>
    </message>
    <message>
        <source>Results of step %1; with repeats, means and 95 % confidence intervals</source>
        <translation>步骤 %1 的结果；有重复时为均值和 95 % 置信区间</translation>
    </message>
    <message>
        <source>%1 times, from %2 to %3</source>
        <translation>%1 倍，范围 %2 到 %3</translation>
    </message>
    <message>
        <source>%1 points, from %2 to %3</source>
        <translation>%1 个百分点，范围 %2 到 %3</translation>
    </message>
    <message>
        <source>Measured order: %1.</source>
        <translation>测得的次序：%1。</translation>
    </message>
    <message>
        <source>Sealed at %1, seal code %2</source>
        <translation>封存于 %1，封存码 %2</translation>
    </message>
    <message>
        <source>Answer</source>
        <translation>答案</translation>
    </message>
    <message>
        <source>The figures are in step %1, %2.</source>
        <translation>数据见步骤 %1“%2”。</translation>
    </message>
    <message>
        <source>In the student&apos;s words: %1</source>
        <translation>学生的表述：%1</translation>
    </message>
    <message>
        <source>Computer %1</source>
        <translation>计算机 %1</translation>
    </message>
    <message>
        <source>Runs and machine</source>
        <translation>运行与机器</translation>
    </message>
    <message>
        <source>Step of the laboratory</source>
        <translation>步骤</translation>
    </message>
    <message>
        <source>Sealed at</source>
        <translation>封存时间</translation>
    </message>
    <message>
        <source>Seal code</source>
        <translation>封存码</translation>
    </message>
    <message>
        <source>First run</source>
        <translation>首次运行</translation>
    </message>
    <message>
        <source>Left empty.</source>
        <translation>未作答。</translation>
    </message>
    <message>
        <source>Replay</source>
        <translation>重放</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>暂停</translation>
    </message>
    <message>
        <source>Show all</source>
        <translation>显示全部</translation>
    </message>
    <message>
        <source>Drag a rectangle to zoom. Click a name to hide its curves.</source>
        <translation>拖动框选可放大；点击名称可隐藏其曲线。</translation>
    </message>
    <message>
        <source>%1 of %2 points are in this page: the lowest and the highest of each stretch.</source>
        <translation>本页含 %2 个点中的 %1 个：每一小段的最低点和最高点。</translation>
    </message>
    <message>
        <source>all ranks</source>
        <translation>所有 rank</translation>
    </message>
    <message>
        <source>rank %1</source>
        <translation>rank %1</translation>
    </message>
    <message>
        <source>ranks %1</source>
        <translation>rank %1</translation>
    </message>
    <message>
        <source>Result</source>
        <translation>结果</translation>
    </message>
    <message>
        <source>Predictions and seals</source>
        <translation>预测与封存</translation>
    </message>
    <message>
        <source>holds</source>
        <translation>成立</translation>
    </message>
    <message>
        <source>does not hold</source>
        <translation>不成立</translation>
    </message>
    <message>
        <source>cannot be told</source>
        <translation>无法判断</translation>
    </message>
    <message>
        <source>not measured</source>
        <translation>未测量</translation>
    </message>
</context>
<context>
    <name>RingView</name>
    <message>
        <source>rank %1</source>
        <translation>rank %1</translation>
    </message>
    <message>
        <source>chunk</source>
        <translation>分块</translation>
    </message>
    <message>
        <source>Number: ranks summed. Full colour: complete.</source>
        <translation>数字：已累加的 rank 数。实色：已完整。</translation>
    </message>
    <message>
        <source>moves</source>
        <translation>收发</translation>
    </message>
    <message>
        <source>Messages of %1, step %2</source>
        <translation>%1 的消息，第 %2 步</translation>
    </message>
</context>
<context>
    <name>RunColumns</name>
    <message>
        <source>yes</source>
        <translation>是</translation>
    </message>
    <message>
        <source>no</source>
        <translation>否</translation>
    </message>
    <message>
        <source>%1 points</source>
        <translation>%1 个百分点</translation>
    </message>
</context>
<context>
    <name>RunDifferences</name>
    <message>
        <source>What differs between the runs</source>
        <translation>各运行之间的差别</translation>
    </message>
    <message>
        <source>The settings are equal except for the seed.</source>
        <translation>除随机种子外，设置完全相同。</translation>
    </message>
    <message>
        <source>Built-in</source>
        <translation>内置值</translation>
    </message>
    <message>
        <source>This run</source>
        <translation>本次运行</translation>
    </message>
    <message>
        <source>No setting differs from the built-in experiment.</source>
        <translation>所有设置均与内置实验相同。</translation>
    </message>
    <message>
        <source>Settings that differ from the built-in experiment:</source>
        <translation>与内置实验不同的设置：</translation>
    </message>
    <message>
        <source>Reading what it ran on…</source>
        <translation>正在读取运行环境…</translation>
    </message>
    <message>
        <source>The run did not record what it ran on.</source>
        <translation>该运行没有记录运行环境。</translation>
    </message>
    <message>
        <source>The settings that differ, then the figures.</source>
        <translation>先是不同的设置，然后是各项指标。</translation>
    </message>
    <message>
        <source>Ran on: %1</source>
        <translation>运行环境：%1</translation>
    </message>
</context>
<context>
    <name>RunTable</name>
    <message>
        <source>also differs</source>
        <translation>其他差别</translation>
    </message>
    <message>
        <source>Export the table</source>
        <translation>导出表格</translation>
    </message>
    <message>
        <source>The table is in %1.</source>
        <translation>表格已保存到 %1。</translation>
    </message>
    <message>
        <source>%1 could not be written: %2</source>
        <translation>无法写入 %1：%2</translation>
    </message>
</context>
<context>
    <name>RunTree</name>
    <message>
        <source>today %1</source>
        <translation>今天 %1</translation>
    </message>
    <message>
        <source>yesterday %1</source>
        <translation>昨天 %1</translation>
    </message>
</context>
<context>
    <name>ScalingCharts</name>
    <message>
        <source>strong</source>
        <translation>强扩展</translation>
    </message>
    <message>
        <source>weak</source>
        <translation>弱扩展</translation>
    </message>
    <message>
        <source>%1, predicted on %2 cores</source>
        <translation>%1，预测（%2 个核心）</translation>
    </message>
    <message>
        <source>%1, predicted</source>
        <translation>%1，预测</translation>
    </message>
    <message>
        <source>%1 µs and %2 GB/s</source>
        <translation>%1 µs、%2 GB/s</translation>
    </message>
    <message>
        <source>Predicted: Amdahl&apos;s law and a link of %1, measured separately</source>
        <translation>预测：Amdahl 定律与单独测得的链路（%1）</translation>
    </message>
    <message>
        <source>Ranks</source>
        <translation>rank 数</translation>
    </message>
    <message>
        <source>%1, predicted with one core per rank</source>
        <translation>%1，预测（每个 rank 一个核心）</translation>
    </message>
    <message>
        <source>compute</source>
        <translation>计算</translation>
    </message>
    <message>
        <source>communicate</source>
        <translation>通信</translation>
    </message>
    <message>
        <source>wait</source>
        <translation>等待</translation>
    </message>
    <message>
        <source>Means over ranks and repeats</source>
        <translation>对 rank 与重复取平均</translation>
    </message>
    <message>
        <source>First evaluation with a test accuracy of %1</source>
        <translation>首次达到 %1 测试准确率的评估</translation>
    </message>
    <message>
        <source>First evaluation with a test accuracy of %1; not reached: %2</source>
        <translation>首次达到 %1 测试准确率的评估；未达到：%2</translation>
    </message>
    <message>
        <source>%1 (%2 of %3)</source>
        <translation>%1（%3 次中的 %2 次）</translation>
    </message>
    <message>
        <source>%1 at %2</source>
        <comment>curve, numbers of ranks</comment>
        <translation>%1，rank 数 %2</translation>
    </message>
    <message>
        <source>%1: one sample per rank</source>
        <translation>%1：每个 rank 一个样本</translation>
    </message>
    <message>
        <source>%1: the whole set in one step</source>
        <translation>%1：一步用完整个训练集</translation>
    </message>
    <message>
        <source>%1 on %2 ranks</source>
        <translation>%1（%2 个 rank）</translation>
    </message>
    <message>
        <source>Predicted: Amdahl&apos;s law and a link of %1, measured in this machine&apos;s shared memory; not valid beyond this machine</source>
        <translation>预测：Amdahl 定律与在本机共享内存中测得的链路（%1）；不适用于本机之外</translation>
    </message>
    <message>
        <source>Predicted: Amdahl&apos;s law and a link of %1, measured within this machine; not valid beyond it</source>
        <translation>预测：Amdahl 定律与在本机内测得的链路（%1）；不适用于本机之外</translation>
    </message>
    <message>
        <source>%1, predicted with one core per rank on one machine</source>
        <translation>%1，预测（单机，每个 rank 一个核心）</translation>
    </message>
    <message>
        <source>ideal</source>
        <translation>理想</translation>
    </message>
    <message>
        <source>%1, predicted on one core</source>
        <translation>%1，预测（1 个核心）</translation>
    </message>
    <message>
        <source>measured numbers of ranks</source>
        <translation>实测的 rank 数</translation>
    </message>
    <message>
        <source>predictions up to %1 ranks</source>
        <translation>预测至 %1 个 rank</translation>
    </message>
    <message>
        <source>%1, predicted on %2 cores per host</source>
        <translation>%1，预测（每台主机 %2 个核心）</translation>
    </message>
    <message>
        <source>Predicted: Amdahl&apos;s law and a link of %1 between hosts, measured separately; extrapolated beyond the hosts measured</source>
        <translation>预测：Amdahl 定律与单独测得的主机间链路（%1）；超出所测主机的部分为外推</translation>
    </message>
    <message>
        <source>Predicted: Amdahl&apos;s law and links of %1 within a host and %2 between hosts, measured separately; extrapolated beyond the hosts measured</source>
        <translation>预测：Amdahl 定律与单独测得的主机内链路（%1）和主机间链路（%2）；超出所测主机的部分为外推</translation>
    </message>
    <message>
        <source>No prediction: it needs a run that measured all-reduce over the same backend and link, and some training steps; over several hosts, one all-reduce run with one rank per host, and one within a host if ranks share it</source>
        <translation>没有预测：需要一次在同一后端与链路上测量 all-reduce 的运行，以及若干步训练；多台主机时，该测量须每台主机一个 rank，若多个 rank 共用一台主机，还需一次主机内的测量</translation>
    </message>
    <message>
        <source>%1, extrapolated to more such hosts</source>
        <translation>%1，外推到更多同类主机</translation>
    </message>
    <message>
        <source>%1, on %2 ranks: came out faster than this machine&apos;s cores allow</source>
        <translation>%1，%2 个 rank：快得超出本机核心所能达到的程度</translation>
    </message>
</context>
<context>
    <name>ScriptRace</name>
    <message>
        <source>Runs are in progress. Race the script when they have ended.</source>
        <translation>有运行正在进行。请在它们结束后再对照运行脚本。</translation>
    </message>
</context>
<context>
    <name>StalenessChart</name>
    <message>
        <source>%1 %2</source>
        <comment>run or rank, its mean</comment>
        <translation>%1 %2</translation>
    </message>
    <message>
        <source>rank %1</source>
        <translation>rank %1</translation>
    </message>
    <message>
        <source>Means: %1</source>
        <translation>平均值：%1</translation>
    </message>
</context>
<context>
    <name>StoredRuns</name>
    <message>
        <source>The laboratory hides settings of these runs: seal its questions about them first.</source>
        <translation>实验隐藏了这些运行的参数：请先封存关于它们的问题。</translation>
    </message>
</context>
<context>
    <name>ThroughputChart</name>
    <message>
        <source>Error bars of single runs: 95 % CI over their blocks of steps</source>
        <translation>单次运行的误差线：按步数分块所得的 95% 置信区间</translation>
    </message>
    <message>
        <source>Throughput by variant</source>
        <translation>各变体的吞吐量</translation>
    </message>
    <message>
        <source>%1
%2 ranks</source>
        <translation>%1
%2 个 rank</translation>
    </message>
</context>
<context>
    <name>TimelineMarks</name>
    <message>
        <source>paused</source>
        <translation>已暂停</translation>
    </message>
    <message>
        <source>resumed</source>
        <translation>已继续</translation>
    </message>
    <message>
        <source>stopped</source>
        <translation>已停止</translation>
    </message>
    <message>
        <source>checkpoint</source>
        <translation>检查点</translation>
    </message>
    <message>
        <source>+%1 ms per step</source>
        <translation>每步 +%1 ms</translation>
    </message>
    <message>
        <source>computation × %1</source>
        <translation>计算 × %1</translation>
    </message>
    <message>
        <source>+%1 µs per message</source>
        <translation>每条消息 +%1 µs</translation>
    </message>
    <message>
        <source>link %1 Mbit/s</source>
        <translation>链路 %1 Mbit/s</translation>
    </message>
    <message>
        <source>link without limit</source>
        <translation>链路不限速</translation>
    </message>
    <message>
        <source>rank %1: %2</source>
        <translation>rank %1：%2</translation>
    </message>
</context>
<context>
    <name>TimelinePath</name>
    <message>
        <source>Critical path: rank %1 accounts for %2 % of it</source>
        <translation>关键路径：%2 % 的时间在 rank %1 上</translation>
    </message>
    <message>
        <source>communication is %1 % of it</source>
        <translation>通信占其中的 %1 %</translation>
    </message>
</context>
<context>
    <name>TimelineView</name>
    <message>
        <source>Time since the first span (%1)</source>
        <translation>自第一个区段起的时间（%1）</translation>
    </message>
    <message>
        <source>Time since the first span, after %1 s (%2)</source>
        <translation>自第一个区段起的时间，从 %1 s 起（%2）</translation>
    </message>
    <message>
        <source>step</source>
        <translation>步</translation>
    </message>
    <message>
        <source>Timeline of %1</source>
        <translation>%1 的时间线</translation>
    </message>
    <message>
        <source>rank %1</source>
        <translation>rank %1</translation>
    </message>
    <message>
        <source>The oldest %1 spans are no longer kept.</source>
        <translation>最早的 %1 个区段已不再保留。</translation>
    </message>
    <message>
        <source>Spans dropped under load: %1.</source>
        <translation>因负载过高丢弃了 %1 个区段。</translation>
    </message>
    <message>
        <source>forward, light</source>
        <translation>前向：浅色</translation>
    </message>
    <message>
        <source>backward, dark</source>
        <translation>反向：深色</translation>
    </message>
    <message>
        <source>micro-batch 1</source>
        <translation>微批次 1</translation>
    </message>
    <message>
        <source>%1 … %2, colours repeat</source>
        <translation>%1 … %2，颜色循环使用</translation>
    </message>
    <message>
        <source>bubble</source>
        <translation>气泡</translation>
    </message>
    <message>
        <source>Cut out at the marks: %1 in which other runs had their turn or this one was paused.</source>
        <translation>断轴处略去 %1：其间轮到其他运行，或本运行已暂停。</translation>
    </message>
    <message>
        <source>delay of the slow rank</source>
        <translation>慢 rank 的延迟</translation>
    </message>
</context>
<context>
    <name>TrafficChart</name>
    <message>
        <source>activations</source>
        <translation>激活值</translation>
    </message>
    <message>
        <source>partial sums within layers</source>
        <translation>层内部分和</translation>
    </message>
    <message>
        <source>gradients</source>
        <translation>梯度</translation>
    </message>
    <message>
        <source>weights</source>
        <translation>权重</translation>
    </message>
    <message>
        <source>%1
%2 ranks</source>
        <translation>%1
%2 个 rank</translation>
    </message>
    <message>
        <source>%1
%2 ranks, modelled</source>
        <translation>%1
%2 个 rank，模型值</translation>
    </message>
</context>
<context>
    <name>VariantEdits</name>
    <message>
        <source>Variant</source>
        <translation>变体</translation>
    </message>
</context>
<context>
    <name>VariantGroups</name>
    <message>
        <source>Collectives</source>
        <translation>集合通信</translation>
    </message>
    <message>
        <source>Messages</source>
        <translation>点对点消息</translation>
    </message>
    <message>
        <source>Parameter server</source>
        <translation>参数服务器</translation>
    </message>
    <message>
        <source>Rules</source>
        <translation>规则</translation>
    </message>
    <message>
        <source>One slow rank</source>
        <translation>一个慢 rank</translation>
    </message>
    <message>
        <source>Micro-batches</source>
        <translation>微批次</translation>
    </message>
</context>
<context>
    <name>VariantTitles</name>
    <message>
        <source>Pipeline (send/receive)</source>
        <translation>流水线（发送/接收）</translation>
    </message>
    <message>
        <source>Pipeline (RPC)</source>
        <translation>流水线（RPC）</translation>
    </message>
    <message>
        <source>Grid</source>
        <translation>网格</translation>
    </message>
    <message>
        <source>Data parallel, recomputing</source>
        <translation>数据并行（重计算）</translation>
    </message>
    <message>
        <source>ZeRO-1</source>
        <translation>ZeRO-1</translation>
    </message>
    <message>
        <source>ZeRO-2</source>
        <translation>ZeRO-2</translation>
    </message>
    <message>
        <source>ZeRO-3</source>
        <translation>ZeRO-3</translation>
    </message>
    <message>
        <source>2 ranks, weak</source>
        <translation>2 个 rank（弱扩展）</translation>
    </message>
    <message>
        <source>4 ranks, weak</source>
        <translation>4 个 rank（弱扩展）</translation>
    </message>
    <message>
        <source>8 ranks, weak</source>
        <translation>8 个 rank（弱扩展）</translation>
    </message>
    <message>
        <source>Link, 2 ranks</source>
        <translation>链路（2 个 rank）</translation>
    </message>
    <message>
        <source>Link, 4 ranks</source>
        <translation>链路（4 个 rank）</translation>
    </message>
    <message>
        <source>Link, 8 ranks</source>
        <translation>链路（8 个 rank）</translation>
    </message>
    <message>
        <source>Small buckets</source>
        <translation>小桶</translation>
    </message>
    <message>
        <source>Warm-up</source>
        <translation>预热</translation>
    </message>
    <message>
        <source>Dirichlet 0.05</source>
        <translation>狄利克雷 0.05</translation>
    </message>
    <message>
        <source>Dirichlet 0.5</source>
        <translation>狄利克雷 0.5</translation>
    </message>
    <message>
        <source>Dirichlet 5</source>
        <translation>狄利克雷 5</translation>
    </message>
    <message>
        <source>%1 hosts</source>
        <translation>%1 台主机</translation>
    </message>
    <message>
        <source>Random, 2 ranks</source>
        <translation>随机划分（2 个 rank）</translation>
    </message>
    <message>
        <source>Pipeline, 1 micro-batch</source>
        <translation>流水线（1 个微批次）</translation>
    </message>
    <message>
        <source>Pipeline, 2 micro-batches</source>
        <translation>流水线（2 个微批次）</translation>
    </message>
    <message>
        <source>Pipeline, 8 micro-batches</source>
        <translation>流水线（8 个微批次）</translation>
    </message>
    <message>
        <source>All-reduce, rank 1 +5 ms</source>
        <translation>全归约（rank 1 +5 ms）</translation>
    </message>
    <message>
        <source>All-gather, rank 1 +5 ms</source>
        <translation>全收集（rank 1 +5 ms）</translation>
    </message>
    <message>
        <source>Ring, rank 1 +5 ms</source>
        <translation>环形（rank 1 +5 ms）</translation>
    </message>
    <message>
        <source>Tree, rank 1 +5 ms</source>
        <translation>树形（rank 1 +5 ms）</translation>
    </message>
    <message>
        <source>Parameter server, rank 1 +5 ms</source>
        <translation>参数服务器（rank 1 +5 ms）</translation>
    </message>
    <message>
        <source>Parameter server, asynchronous, rank 1 +5 ms</source>
        <translation>参数服务器（异步，rank 1 +5 ms）</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1（%2）</translation>
    </message>
    <message>
        <source>no slow rank</source>
        <translation>无慢节点</translation>
    </message>
    <message>
        <source>%1 %2</source>
        <translation>%1 %2</translation>
    </message>
    <message>
        <source>%1 on</source>
        <translation>启用%1</translation>
    </message>
    <message>
        <source>%1 off</source>
        <translation>不用%1</translation>
    </message>
    <message>
        <source>1 rank</source>
        <translation>1 个 rank</translation>
    </message>
    <message>
        <source>%1 ranks</source>
        <translation>%1 个 rank</translation>
    </message>
    <message>
        <source>%1 %2 %3</source>
        <translation>%1 %2 %3</translation>
    </message>
    <message>
        <source>%1 from %2</source>
        <translation>%1（自第 %2 步）</translation>
    </message>
    <message>
        <source>%1, without a fault</source>
        <translation>%1（无故障）</translation>
    </message>
    <message>
        <source>%1, with a fault</source>
        <translation>%1（有故障）</translation>
    </message>
    <message>
        <source>Small (width 32, 2 blocks)</source>
        <translation>小（宽度 32、2 个块）</translation>
    </message>
    <message>
        <source>Wide (width 64)</source>
        <translation>宽（宽度 64）</translation>
    </message>
    <message>
        <source>Deep (4 blocks)</source>
        <translation>深（4 个块）</translation>
    </message>
    <message>
        <source>%1 none</source>
        <translation>不用%1</translation>
    </message>
    <message>
        <source>%1 automatic</source>
        <translation>自动%1</translation>
    </message>
    <message>
        <source>%1 linear</source>
        <translation>线性%1</translation>
    </message>
    <message>
        <source>%1 square root</source>
        <translation>平方根%1</translation>
    </message>
    <message>
        <source>%1 constant</source>
        <translation>恒定%1</translation>
    </message>
    <message>
        <source>%1 both</source>
        <translation>%1（两者）</translation>
    </message>
    <message>
        <source>%1 each rank</source>
        <translation>%1（每个 rank）</translation>
    </message>
    <message>
        <source>Offload none</source>
        <translation>不卸载优化器状态</translation>
    </message>
    <message>
        <source>Schedule constant</source>
        <translation>恒定学习率</translation>
    </message>
    <message>
        <source>%1, %2, %3</source>
        <translation>%1（%2、%3）</translation>
    </message>
    <message>
        <source>%1, %2, %3, %4</source>
        <translation>%1（%2、%3、%4）</translation>
    </message>
    <message>
        <source>%1 and %2</source>
        <translation>%1、%2</translation>
    </message>
    <message>
        <source>all ranks</source>
        <translation>所有 rank</translation>
    </message>
    <message>
        <source>rank %1</source>
        <translation>rank %1</translation>
    </message>
    <message>
        <source>%1 ×%2</source>
        <translation>%1 ×%2</translation>
    </message>
    <message>
        <source>%1 +%2 ms ×%3</source>
        <translation>%1 +%2 ms ×%3</translation>
    </message>
    <message>
        <source>%1 +%2 ms</source>
        <translation>%1 +%2 ms</translation>
    </message>
</context>
<context>
    <name>WaitNote</name>
    <message>
        <source>Communication includes waiting, which cannot be separated: %1</source>
        <translation>等待时间无法与通信时间区分，一并计入通信：%1</translation>
    </message>
</context>
<context>
    <name>ZeroTexts</name>
    <message>
        <source>all</source>
        <translation>全部</translation>
    </message>
    <message>
        <source>at stop</source>
        <translation>停止时</translation>
    </message>
    <message>
        <source>no limit</source>
        <translation>不限</translation>
    </message>
    <message>
        <source>by epochs</source>
        <translation>按轮次</translation>
    </message>
    <message>
        <source>auto</source>
        <translation>自动</translation>
    </message>
    <message>
        <source>an epoch</source>
        <translation>每轮</translation>
    </message>
</context>
<context>
    <name>lockstep::exchange::MnistDownload</name>
    <message>
        <source>Cannot create the folder %1.</source>
        <translation>无法创建文件夹 %1。</translation>
    </message>
    <message>
        <source>Cannot download %1: %2. Check the network and try again, or put the four files into %3 yourself.</source>
        <translation>无法下载 %1：%2。请检查网络后重试，或自行把四个文件放入 %3。</translation>
    </message>
    <message>
        <source>Cannot write %1: %2.</source>
        <translation>无法写入 %1：%2。</translation>
    </message>
    <message>
        <source>it is larger than expected</source>
        <translation>文件比预期的大</translation>
    </message>
    <message>
        <source>it ended after %1 of %2 bytes</source>
        <translation>只收到 %1 字节（共 %2 字节）</translation>
    </message>
    <message>
        <source>its SHA-256 does not match that of MNIST</source>
        <translation>SHA-256 与 MNIST 不符</translation>
    </message>
    <message>
        <source>The download was cancelled.</source>
        <translation>下载已取消。</translation>
    </message>
</context>
<context>
    <name>lockstep::ui::AboutEditor</name>
    <message>
        <source>Title and question</source>
        <translation>标题与问题</translation>
    </message>
    <message>
        <source>Title</source>
        <translation>标题</translation>
    </message>
    <message>
        <source>Question</source>
        <translation>问题</translation>
    </message>
    <message>
        <source>Description</source>
        <translation>说明</translation>
    </message>
    <message>
        <source>The name of the experiment in the gallery and in the window&apos;s title.</source>
        <translation>实验在列表和窗口标题中的名称。</translation>
    </message>
    <message>
        <source>What the experiment is to answer.</source>
        <translation>实验要回答的问题。</translation>
    </message>
    <message>
        <source>What to expect and what to try, shown before the first run.</source>
        <translation>预期的结果和可以尝试的内容，在首次运行前显示。</translation>
    </message>
    <message>
        <source>The current chart</source>
        <translation>当前显示的图表</translation>
    </message>
    <message>
        <source>Opens with</source>
        <translation>打开时显示</translation>
    </message>
    <message>
        <source>The chart that is shown when the experiment is opened.</source>
        <translation>打开该实验时显示的图表。</translation>
    </message>
</context>
<context>
    <name>lockstep::ui::AddToReport</name>
    <message>
        <source>“%1” is in the report now.</source>
        <translation>“%1”已加入报告。</translation>
    </message>
    <message>
        <source>Add to report</source>
        <translation>加入报告</translation>
    </message>
    <message>
        <source>Adds what is shown to the report of these runs.</source>
        <translation>把当前显示的内容加入这些运行的报告。</translation>
    </message>
</context>
<context>
    <name>lockstep::ui::BackendTableModel</name>
    <message>
        <source>not tried</source>
        <translation>未尝试</translation>
    </message>
    <message>
        <source>works</source>
        <translation>可用</translation>
    </message>
    <message>
        <source>from messages</source>
        <translation>由消息组成</translation>
    </message>
    <message>
        <source>fails</source>
        <translation>失败</translation>
    </message>
    <message>
        <source>The backend lacks this operation; it is built from point-to-point messages.</source>
        <translation>该后端没有此操作：由其点对点消息组成。</translation>
    </message>
    <message>
        <source>Tried just now: the result was right.</source>
        <translation>刚刚试过：结果正确。</translation>
    </message>
    <message>
        <source>%1 on %2</source>
        <translation>%1（%2）</translation>
    </message>
</context>
<context>
    <name>lockstep::ui::BundleDialog</name>
    <message>
        <source>The runs that the file will contain, and the size of each.</source>
        <translation>文件将包含的运行记录及各自的大小。</translation>
    </message>
    <message>
        <source>If unticked, the file does not contain them.</source>
        <translation>不勾选时，文件中不含这些信息。</translation>
    </message>
    <message>
        <source>Keep the names of hosts and users, and the ids of GPUs</source>
        <translation>保留主机名、用户名和 GPU 标识</translation>
    </message>
    <message>
        <source>Save…</source>
        <translation>保存…</translation>
    </message>
    <message>
        <source>Save runs as a bundle</source>
        <translation>将运行记录保存为打包文件</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>名称</translation>
    </message>
    <message>
        <source>Status</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>Steps</source>
        <translation>步数</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>大小</translation>
    </message>
    <message>
        <source>Runs of the bundle</source>
        <translation>打包文件中的运行记录</translation>
    </message>
    <message>
        <source>The runs are being copied…</source>
        <translation>正在复制运行记录…</translation>
    </message>
    <message>
        <source>One file with everything below, to be opened on another machine. Opening it starts no program.</source>
        <translation>下列内容保存为一个文件，可在其他机器上打开；打开时不会启动任何程序。</translation>
    </message>
    <message>
        <source>Experiments: %1</source>
        <translation>实验数：%1</translation>
    </message>
    <message>
        <source>Saved views: %1</source>
        <translation>已保存的视图：%1</translation>
    </message>
    <message>
        <source>, </source>
        <translation>、</translation>
    </message>
    <message>
        <source>Measured on: %1</source>
        <translation>测量环境：%1</translation>
    </message>
    <message>
        <source>Texts in which a home folder is shortened to ~: %1</source>
        <translation>主目录已缩写为 ~ 的文本数：%1</translation>
    </message>
    <message>
        <source>Names of hosts that are left out: %1</source>
        <translation>已去除的主机名数：%1</translation>
    </message>
    <message>
        <source>Bundles (*.lockstep)</source>
        <translation>打包文件 (*.lockstep)</translation>
    </message>
</context>
<context>
    <name>lockstep::ui::CentrePages</name>
    <message>
        <source>Press Run to train with each optimizer and watch the loss fall step by step.</source>
        <translation>按“开始”，用每种优化器各训练一次，看损失一步步下降。</translation>
    </message>
    <message>
        <source>Press Run to see the result.</source>
        <translation>按“开始”查看结果。</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>开始</translation>
    </message>
    <message>
        <source>Trains every ticked variant (Ctrl+Return).</source>
        <translation>训练每个勾选的变体（Ctrl+Return）。</translation>
    </message>
    <message>
        <source>Choose what to train, and vary a parameter to compare.</source>
        <translation>选择要训练的内容，并改变一个参数进行比较。</translation>
    </message>
    <message>
        <source>Open a laboratory</source>
        <translation>打开课程实验</translation>
    </message>
    <message>
        <source>Predict, run, explain and hand in, step by step.</source>
        <translation>按步骤预测、运行、解释并提交。</translation>
    </message>
</context>
<context>
    <name>lockstep::ui::ChartControls</name>
    <message>
        <source>Log scale</source>
        <translation>对数坐标</translation>
    </message>
    <message>
        <source>Log</source>
        <translation>对数</translation>
    </message>
    <message>
        <source>Show</source>
        <translation>显示</translation>
    </message>
    <message>
        <source>Against</source>
        <translation>横轴</translation>
    </message>
    <message>
        <source>Steps</source>
        <translation>步数</translation>
    </message>
    <message>
        <source>Epochs</source>
        <translation>轮数</translation>
    </message>
    <message>
        <source>Seconds</source>
        <translation>秒数</translation>
    </message>
    <message>
        <source>Horizontal axis</source>
        <translation>横轴</translation>
    </message>
    <message>
        <source>What the horizontal axis shows.</source>
        <translation>横轴显示什么。</translation>
    </message>
    <message>
        <source>Smoothing</source>
        <translation>平滑</translation>
    </message>
    <message>
        <source>Moving average of the loss; the raw loss is drawn behind it in a pale colour.</source>
        <translation>损失的滑动平均；原始损失以浅色画在后面。</translation>
    </message>
    <message>
        <source>Draws the values on a logarithmic axis.</source>
        <translation>用对数轴绘制数值。</translation>
    </message>
    <message>
        <source>Each seed</source>
        <translation>各个种子</translation>
    </message>
    <message>
        <source>Draws a curve for each repeat instead of their mean with its 95 % band.</source>
        <translation>为每次重复各画一条曲线，而不是画均值及其 95% 置信带。</translation>
    </message>
    <message>
        <source>Data as a table</source>
        <translation>数据表</translation>
    </message>
    <message>
        <source>Shows the numbers of this chart as a table.</source>
        <translation>以表格显示此图表的数据。</translation>
    </message>
    <message>
        <source>Copy this chart</source>
        <translation>复制此图表</translation>
    </message>
    <message>
        <source>Copies this chart as a picture and as a table (Ctrl+Shift+C).</source>
        <translation>把此图表作为图片和表格复制（Ctrl+Shift+C）。</translation>
    </message>
    <message>
        <source>Export this chart</source>
        <translation>导出此图表</translation>
    </message>
    <message>
        <source>Saves this chart as PDF, SVG, PNG, EPS, PGFPlots or CSV (Ctrl+E).</source>
        <translation>把此图表保存为 PDF、SVG、PNG、EPS、PGFPlots 或 CSV（Ctrl+E）。</translation>
    </message>
</context>
<context>
    <name>lockstep::ui::ChartModel</name>
    <message>
        <source>Step</source>
        <translation>步</translation>
    </message>
    <message>
        <source>Epoch</source>
        <translation>轮次</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>时间</translation>
    </message>
    <message>
        <source>Press Run to see the first curve.</source>
        <translation>按“开始”查看第一条曲线。</translation>
    </message>
    <message>
        <source>These runs ended without values for this chart.</source>
        <translation>这些运行已结束，没有可画的数值。</translation>
    </message>
    <message>
        <source>Waiting for the first numbers…</source>
        <translation>正在等待第一批数据…</translation>
    </message>
    <message>
        <source>Loading the runs…</source>
        <translation>正在读取运行记录…</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <comment>parameter, its value</comment>
        <translation>%1：%2</translation>
    </message>
    <message numerus="yes">
        <source>%n runs have no bar: failed, or fewer steps than the warm-up (%1)</source>
        <translation>
            <numerusform>%n 次运行没有条形：失败，或步数少于预热步数（%1）</numerusform>
        </translation>
    </message>
    <message>
        <source>Rank</source>
        <translation>Rank</translation>
    </message>
</context>
<context>
    <name>lockstep::ui::ChartViewMenu</name>
    <message>
        <source>Logarithmic horizontal axis</source>
        <translation>横轴用对数</translation>
    </message>
    <message>
        <source>Raw values behind the smoothed ones</source>
        <translation>平滑曲线后的原始值</translation>
    </message>
    <message>
        <source>Names at the ends of curves</source>
        <translation>曲线末端的名称</translation>
    </message>
    <message>
        <source>View</source>
        <translation>视图</translation>
    </message>
    <message>
        <source>One chart</source>
        <translation>单个图表</translation>
    </message>
    <message>
        <source>Panels by</source>
        <translation>按参数划分子图</translation>
    </message>
    <message>
        <source>Annotations…</source>
        <translation>标注…</translation>
    </message>
    <message>
        <source>Horizontal axis, raw values, names at the ends of curves, panels and annotations.</source>
        <translation>横轴、原始值、曲线末端的名称、子图和标注。</translation>
    </message>
</context>
<context>
    <name>lockstep::ui::ClaimForm</name>
    <message>
        <source>is less than that of</source>
        <translation>小于</translation>
    </message>
    <message>
        <source>is greater than that of</source>
        <translation>大于</translation>
    </message>
    <message>
        <source>does not differ from that of</source>
        <translation>没有差别，相比于</translation>
    </message>
    <message>
        <source>rises with</source>
        <translation>随其增大而增大</translation>
    </message>
    <message>
        <source>falls with</source>
        <translation>随其增大而减小</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>移除</translation>
    </message>
    <message>
        <source>Takes this claim back; the journal keeps it.</source>
        <translation>收回此论断；记录中仍保留。</translation>
    </message>
    <message>
        <source>Figure</source>
        <translation>指标</translation>
    </message>
    <message>
        <source>What the claim is about.</source>
        <translation>论断所涉及的指标。</translation>
    </message>
    <message>
        <source>Variant</source>
        <translation>变体</translation>
    </message>
    <message>
        <source>Whose figure it is.</source>
        <translation>指标所属的变体。</translation>
    </message>
    <message>
        <source>Relation</source>
        <translation>关系</translation>
    </message>
    <message>
        <source>What you claim.</source>
        <translation>你的论断。</translation>
    </message>
    <message>
        <source>Other variant</source>
        <translation>另一变体</translation>
    </message>
    <message>
        <source>What it is compared with.</source>
        <translation>与之比较的变体。</translation>
    </message>
    <message>
        <source>Parameter</source>
        <translation>参数</translation>
    </message>
    <message>
        <source>With what the figure rises or falls.</source>
        <translation>指标随之增减的参数。</translation>
    </message>
    <message>
        <source>By at least</source>
        <translation>至少</translation>
    </message>
    <message>
        <source>In percent, for shares in points; 0 is any amount.</source>
        <translation>以百分比计，比例以百分点计；0 表示任意幅度。</translation>
    </message>
    <message>
        <source>by at least </source>
        <translation>至少 </translation>
    </message>
    <message>
        <source>In your own words</source>
        <translation>用自己的话说明</translation>
    </message>
    <message>
        <source>Why you claim it; may be empty.</source>
        <translation>理由；可不填。</translation>
    </message>
    <message>
        <source>Add the claim</source>
        <translation>添加论断</translation>
    </message>
    <message>
        <source>Its verdict stands below, and follows the runs.</source>
        <translation>结论显示在下方，并随运行结果更新。</translation>
    </message>
</context>
<context>
    <name>lockstep::ui::CodeForm</name>
    <message>
        <source>Your file: %1</source>
        <translation>你的文件：%1</translation>
    </message>
    <message>
        <source>Checks: %1.</source>
        <translation>检查次数：%1。</translation>
    </message>
    <message>
        <source>%1 First right: %2.</source>
        <translation>%1首次正确：%2。</translation>
    </message>
    <message>
        <source>Writes the template into the folder of your work.</source>
        <translation>把模板写入你的工作文件夹。</translation>
    </message>
    <message>
        <source>Open in editor</source>
        <translation>在编辑器中打开</translation>
    </message>
    <message>
        <source>Opens the file in the system&apos;s editor for it.</source>
        <translation>用系统的编辑器打开文件。</translation>
    </message>
    <message>
        <source>Open folder</source>
        <translation>打开文件夹</translation>
    </message>
    <message>
        <source>Opens the folder with the file.</source>
        <translation>打开文件所在的文件夹。</translation>
    </message>
    <message>
        <source>Check</source>
        <translation>检查</translation>
    </message>
    <message>
        <source>Runs your file on this computer, as you, and says what is wrong first.</source>
        <translation>以你的身份在本机运行你的文件，并指出第一个错误。</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Ends the check.</source>
        <translation>结束检查。</translation>
    </message>
    <message>
        <source>Checking</source>
        <translation>正在检查</translation>
    </message>
    <message>
        <source>Your code runs.</source>
        <translation>你的代码正在运行。</translation>
    </message>
    <message>
        <source>Output</source>
        <translation>输出</translation>
    </message>
    <message>
        <source>The last lines that your code wrote.</source>
        <translation>你的代码最后写出的几行。</translation>
    </message>
    <message>
        <source>No code was handed in.</source>
        <translation>没有提交代码。</translation>
    </message>
    <message>
        <source>No program of this system opens %1.</source>
        <translation>本系统没有可打开 %1 的程序。</translation>
    </message>
    <message>
        <source>Write your code at the right: it is saved as you type. Or create the file, and edit it in your editor.</source>
        <translation>在右侧编写代码，键入时自动保存；也可以先生成文件，再用自己的编辑器编辑。</translation>
    </message>
    <message>
        <source>At the right: the code that was handed in.</source>
        <translation>右侧为提交的代码。</translation>
    </message>
    <message>
        <source>Create the file</source>
        <translation>生成文件</translation>
    </message>
</context>
<context>
    <name>lockstep::ui::CodePane</name>
    <message>
        <source>Code</source>
        <translation>代码</translation>
    </message>
    <message>
        <source>Your code. It is saved as you type; Check runs it.</source>
        <translation>你的代码。键入时自动保存，按“检查”运行。</translation>
    </message>
</context>
<context>
    <name>lockstep::ui::ColumnPicker</name>
    <message>
        <source>Search</source>
        <translation>搜索</translation>
    </message>
    <message>
        <source>Search columns</source>
        <translation>搜索列</translation>
    </message>
    <message>
        <source>Shows only columns whose label or name contains this text.</source>
        <translation>只显示标签或名称中包含该文本的列。</translation>
    </message>
    <message>
        <source>Columns</source>
        <translation>列</translation>
    </message>
    <message>
        <source>Space ticks or unticks a column.</source>
        <translation>按空格键选中或取消一列。</translation>
    </message>
</context>
<context>
    <name>lockstep::ui::CombineDialog</name>
    <message>
        <source>Combine two parameters</source>
        <translation>组合两个参数</translation>
    </message>
    <message>
        <source>First parameter</source>
        <translation>第一个参数</translation>
    </message>
    <message>
        <source>Its variants keep their other values.</source>
        <translation>其各变体的其他值保持不变。</translation>
    </message>
    <message>
        <source>Second parameter</source>
        <translation>第二个参数</translation>
    </message>
    <message>
        <source>Every variant gets each of its values.</source>
        <translation>每个变体分别取它的每个值。</translation>
    </message>
    <message>
        <source>Every value of</source>
        <translation>每个值：</translation>
    </message>
    <message>
        <source>with every value of</source>
        <translation>与每个值：</translation>
    </message>
    <message>
        <source>Combine %1 and %2</source>
        <translation>组合%1与%2</translation>
    </message>
</context>
<context>
    <name>lockstep::ui::CommandPalette</name>
    <message>
        <source>Type what you want to do</source>
        <translation>输入命令名称</translation>
    </message>
    <message>
        <source>Command</source>
        <translation>命令</translation>
    </message>
    <message>
        <source>Type part of a command&apos;s name; Return runs it.</source>
        <translation>输入命令名称的一部分，按回车键执行。</translation>
    </message>
    <message>
        <source>Commands</source>
        <translation>命令</translation>
    </message>
    <message>
        <source>Matching commands.</source>
        <translation>匹配的命令。</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>Go to %1</source>
        <translation>转到%1</translation>
    </message>
    <message>
        <source>No command has this in its name.</source>
        <translation>没有名称包含这些文字的命令。</translation>
    </message>
    <message>
        <source>Not available for what is shown now.</source>
        <translation>对当前显示的内容不可用。</translation>
    </message>
</context>
<context>
    <name>lockstep::ui::DoctorDialog</name>
    <message>
        <source>Everything works</source>
        <translation>一切正常</translation>
    </message>
    <message>
        <source>What to do</source>
        <translation>建议</translation>
    </message>
    <message>
        <source>Which backend to choose</source>
        <translation>如何选择后端</translation>
    </message>
    <message>
        <source>This machine</source>
        <translation>本机</translation>
    </message>
    <message>
        <source>Rank programs are trying every backend…</source>
        <translation>rank 程序正在逐一试用各后端…</translation>
    </message>
    <message>
        <source>No backend could be tried: see below what is missing.</source>
        <translation>没有后端可以试用：缺少的内容见下文。</translation>
    </message>
    <message>
        <source>What each backend can do here, tried just now with small arrays:</source>
        <translation>各后端在本机能做什么（刚刚用小数组试过）：</translation>
    </message>
    <message>
        <source>Operations by backend and device</source>
        <translation>按后端和设备列出的操作</translation>
    </message>
    <message>
        <source>Advice and facts</source>
        <translation>建议与事实</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>重试</translation>
    </message>
    <message>
        <source>Copy as text</source>
        <translation>复制为文本</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Checks this machine again.</source>
        <translation>重新检查本机。</translation>
    </message>
    <message>
        <source>Copies the whole report, to paste into a message or an issue.</source>
        <translation>复制全部内容，可粘贴到消息或问题报告中。</translation>
    </message>
    <message>
        <source>Closes this window.</source>
        <translation>关闭此窗口。</translation>
    </message>
    <message>
        <source>Progress</source>
        <translation>进度</translation>
    </message>
    <message>
        <source>This machine is being examined.</source>
        <translation>正在检查本机。</translation>
    </message>
    <message>
        <source>Which operation works on which device.</source>
        <translation>各操作在哪些设备上可用。</translation>
    </message>
</context>
<context>
    <name>lockstep::ui::DocumentActions</name>
    <message>
        <source>Open an experiment</source>
        <translation>打开实验</translation>
    </message>
    <message>
        <source>Experiments (*.json)</source>
        <translation>实验 (*.json)</translation>
    </message>
    <message>
        <source>Save the experiment</source>
        <translation>保存实验</translation>
    </message>
    <message>
        <source>Copied. Run in a shell, this command starts the same runs:</source>
        <translation>已复制。在命令行中执行它会开始同样的运行：</translation>
    </message>
    <message>
        <source>None yet</source>
        <translation>暂无</translation>
    </message>
    <message>
        <source>No run is shown</source>
        <translation>未显示任何运行</translation>
    </message>
    <message>
        <source>%1 – Lockstep</source>
        <translation>%1 – Lockstep</translation>
    </message>
    <message>
        <source>%1 (not saved) – Lockstep</source>
        <translation>%1（未保存）– Lockstep</translation>
    </message>
    <message>
        <source>, </source>
        <translation>、</translation>
    </message>
    <message>
        <source>New experiment</source>
        <translation>新建实验</translation>
    </message>
    <message>
        <source>Open an experiment…</source>
        <translation>打开实验…</translation>
    </message>
    <message>
        <source>Save the experiment as…</source>
        <translation>实验另存为…</translation>
    </message>
    <message>
        <source>Duplicate the experiment</source>
        <translation>复制实验</translation>
    </message>
    <message>
        <source>Copy as command</source>
        <translation>复制为命令</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>撤销</translation>
    </message>
    <message>
        <source>Redo</source>
        <translation>重做</translation>
    </message>
    <message>
        <source>Recent experiments</source>
        <translation>最近的实验</translation>
    </message>
    <message>
        <source>Use the settings of the run</source>
        <translation>采用运行的设置</translation>
    </message>
    <message>
        <source>Show as PyTorch…</source>
        <translation>显示为 PyTorch 脚本…</translation>
    </message>
    <message>
        <source>“%1” has changes that are not saved.</source>
        <translation>“%1”有未保存的修改。</translation>
    </message>
    <message>
        <source>These experiments have changes that are not saved: %1.</source>
        <translation>以下实验有未保存的修改：%1。</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>保存</translation>
    </message>
    <message>
        <source>Discard</source>
        <translation>不保存</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>My own program…</source>
        <translation>我自己的程序…</translation>
    </message>
    <message>
        <source>Another window cannot be started.</source>
        <translation>无法打开另一个窗口。</translation>
    </message>
    <message>
        <source>Experiments, laboratories, bundles, runs, recordings and curves (*.json *.lab *.handin *.lockstep *.run *.rank* *.csv *.tsv *.gz *tfevents*)</source>
        <translation>实验、课程实验、运行包、运行、记录和曲线 (*.json *.lab *.handin *.lockstep *.run *.rank* *.csv *.tsv *.gz *tfevents*)</translation>
    </message>
</context>
<context>
    <name>lockstep::ui::DownloadRow</name>
    <message>
        <source>%1 of %2 received</source>
        <translation>已接收 %1 / %2</translation>
    </message>
    <message>
        <source>MNIST is not on this machine yet.</source>
        <translation>本机还没有 MNIST。</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Download MNIST</source>
        <translation>下载 MNIST</translation>
    </message>
    <message>
        <source>Cancels the download; incomplete files are not kept.</source>
        <translation>取消下载，不保留未完成的文件。</translation>
    </message>
    <message>
        <source>Downloads the four files (11 MB), verifies them and keeps them for later runs.</source>
        <translation>下载四个文件（11 MB），校验后保存，供以后使用。</translation>
    </message>
    <message>
        <source>Download</source>
        <translation>下载</translation>
    </message>
    <message>
        <source>Download progress of MNIST.</source>
        <translation>MNIST 的下载进度。</translation>
    </message>
</context>
<context>
    <name>lockstep::ui::DrawerBar</name>
    <message>
        <source>Log</source>
        <translation>日志</translation>
    </message>
    <message numerus="yes">
        <source>Log (%n warning(s))</source>
        <translation>
            <numerusform>日志（%n 条警告）</numerusform>
        </translation>
    </message>
    <message>
        <source>Table of runs</source>
        <translation>运行记录表</translation>
    </message>
    <message>
        <source>Shows or hides the log of the shown runs (Ctrl+Alt+4).</source>
        <translation>显示或隐藏所示运行的日志（Ctrl+Alt+4）。</translation>
    </message>
    <message>
        <source>Shows or hides the table of all runs (Ctrl+Alt+3).</source>
        <translation>显示或隐藏所有运行的记录表（Ctrl+Alt+3）。</translation>
    </message>
    <message>
        <source>Queue</source>
        <translation>队列</translation>
    </message>
    <message numerus="yes">
        <source>Queue (%n experiment(s))</source>
        <translation>
            <numerusform>队列（%n 个实验）</numerusform>
        </translation>
    </message>
    <message>
        <source>Shows or hides the queue of experiments (Ctrl+Alt+5).</source>
        <translation>显示或隐藏队列中的实验（Ctrl+Alt+5）。</translation>
    </message>
</context>
<context>
    <name>lockstep::ui::ExperimentDocument</name>
    <message>
        <source>Changes that were not saved</source>
        <translation>未保存的修改</translation>
    </message>
    <message>
        <source>%1 (copy)</source>
        <translation>%1（副本）</translation>
    </message>
</context>
<context>
    <name>lockstep::ui::ExperimentForm</name>
    <message>
        <source>PARAMETERS</source>
        <translation>参数</translation>
    </message>
    <message>
        <source>Reset</source>
        <translation>重置</translation>
    </message>
    <message>
        <source>Reset all parameters</source>
        <translation>重置所有参数</translation>
    </message>
    <message>
        <source>Restores all parameters to the values of the experiment.</source>
        <translation>把所有参数恢复为该实验的预设值。</translation>
    </message>
    <message>
        <source>Repeats (new seed each)</source>
        <translation>重复次数（每次换种子）</translation>
    </message>
    <message>
        <source>Repeats</source>
        <translation>重复次数</translation>
    </message>
    <message>
        <source>How many times each variant is trained, each time with a new seed, for means and confidence intervals.</source>
        <translation>每个变体训练多少次，每次换一个随机种子，用来计算均值和置信区间。</translation>
    </message>
    <message>
        <source>Download MNIST first, or choose the folder that contains it.</source>
        <translation>请先下载 MNIST，或选择它所在的文件夹。</translation>
    </message>
    <message>
        <source>Unpack %1 into %2 first, or choose the folder that contains its files.</source>
        <translation>请先把 %1 解压到 %2，或选择包含这些文件的文件夹。</translation>
    </message>
    <message>
        <source>Estimated from runs measured on this machine.</source>
        <translation>根据本机已测得的运行估计。</translation>
    </message>
    <message>
        <source>A rough estimate until a run has been measured on this machine.</source>
        <translation>本机还没有测量过，时间只是粗略估计。</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>撤销</translation>
    </message>
    <message>
        <source>Undo: %1 (Ctrl+Z)</source>
        <translation>撤销：%1 (Ctrl+Z)</translation>
    </message>
    <message>
        <source>Nothing to undo.</source>
        <translation>没有可以撤销的更改。</translation>
    </message>
    <message>
        <source>Redo</source>
        <translation>重做</translation>
    </message>
    <message>
        <source>Redo: %1 (Ctrl+Shift+Z)</source>
        <translation>重做：%1 (Ctrl+Shift+Z)</translation>
    </message>
    <message>
        <source>Nothing to redo.</source>
        <translation>没有可以重做的更改。</translation>
    </message>
</context>
<context>
    <name>lockstep::ui::ExperimentMenu</name>
    <message>
        <source>Rename the experiment</source>
        <translation>重命名实验</translation>
    </message>
    <message>
        <source>Title:</source>
        <translation>标题：</translation>
    </message>
    <message>
        <source>%1 cannot be deleted: %2</source>
        <translation>无法删除 %1：%2</translation>
    </message>
    <message>
        <source>The experiment “%1” has been deleted.</source>
        <translation>已删除实验“%1”。</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>撤销</translation>
    </message>
    <message>
        <source>Changes that were not saved</source>
        <translation>未保存的修改</translation>
    </message>
</context>
<context>
    <name>lockstep::ui::ExperimentShelf</name>
    <message>
        <source>larger than 4 MiB</source>
        <translation>大于 4 MiB</translation>
    </message>
</context>
<context>
    <name>lockstep::ui::ExperimentStepForm</name>
    <message>
        <source>%1 of %2 runs have finished.</source>
        <translation>%2 次运行中已完成 %1 次。</translation>
    </message>
    <message>
        <source>, </source>
        <translation>、</translation>
    </message>
    <message>
        <source>Runs %1, each %2 times with other seeds.</source>
        <translation>运行 %1，每种以不同种子运行 %2 次。</translation>
    </message>
    <message>
        <source>Runs %1.</source>
        <translation>运行 %1。</translation>
    </message>
    <message>
        <source>The laboratory sets all parameters.</source>
        <translation>所有参数均由本实验设定。</translation>
    </message>
    <message>
        <source>The laboratory sets all other parameters.</source>
        <translation>其他参数均由本实验设定。</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>开始</translation>
    </message>
    <message>
        <source>Runs this experiment (Ctrl+Return).</source>
        <translation>运行此实验（Ctrl+Return）。</translation>
    </message>
    <message>
        <source>Names and numbers…</source>
        <translation>姓名和学号…</translation>
    </message>
    <message>
        <source>Who works on this laboratory: one to four students.</source>
        <translation>做此实验的学生：一至四名。</translation>
    </message>
    <message>
        <source>It hides some of them until all questions about this step are sealed.</source>
        <translation>在封存关于本步骤的所有问题之前，部分参数被隐藏。</translation>
    </message>
    <message>
        <source>Runs, each %1 times with other seeds:</source>
        <translation>运行以下各项，每项 %1 次，种子不同：</translation>
    </message>
    <message>
        <source>Runs:</source>
        <translation>运行：</translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <comment>parameter and its unit</comment>
        <translation>%1（%2）</translation>
    </message>
    <message>
        <source>%1 are queued.</source>
        <translation>%1 次正在排队。</translation>
    </message>
</context>
<context>
    <name>lockstep::ui::ExportDialog</name>
    <message>
        <source>Export: %1</source>
        <translation>导出：%1</translation>
    </message>
    <message>
        <source>Preview</source>
        <translation>预览</translation>
    </message>
    <message>
        <source>More panels</source>
        <translation>更多子图</translation>
    </message>
    <message>
        <source>Panels per row</source>
        <translation>每行子图数</translation>
    </message>
    <message>
        <source>More panels in this figure</source>
        <translation>加入此图的其他图表</translation>
    </message>
    <message>
        <source>Charts that the figure shows beside this one.</source>
        <translation>图中与本图表并列显示的图表。</translation>
    </message>
    <message>
        <source>Number of panels in each row.</source>
        <translation>每行并列的子图数。</translation>
    </message>
</context>
<context>
    <name>lockstep::ui::ExportFields</name>
    <message>
        <source>Markers on the lines</source>
        <translation>在曲线上显示标记</translation>
    </message>
    <message>
        <source>Raw curves behind smoothed ones</source>
        <translation>保留平滑曲线后的原始曲线</translation>
    </message>
    <message>
        <source>Greyscale preview</source>
        <translation>以灰度预览</translation>
    </message>
    <message>
        <source>Format</source>
        <translation>格式</translation>
    </message>
    <message>
        <source>Two columns (183 mm)</source>
        <translation>双栏（183 mm）</translation>
    </message>
    <message>
        <source>One column (89 mm)</source>
        <translation>单栏（89 mm）</translation>
    </message>
    <message>
        <source>Custom size</source>
        <translation>自定义尺寸</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>尺寸</translation>
    </message>
    <message>
        <source>Width</source>
        <translation>宽度</translation>
    </message>
    <message>
        <source>Height</source>
        <translation>高度</translation>
    </message>
    <message>
        <source>Font size</source>
        <translation>字号</translation>
    </message>
    <message>
        <source>Resolution</source>
        <translation>分辨率</translation>
    </message>
    <message>
        <source>As on screen</source>
        <translation>与屏幕相同</translation>
    </message>
    <message>
        <source>Vibrant</source>
        <translation>鲜明</translation>
    </message>
    <message>
        <source>High contrast</source>
        <translation>高对比度</translation>
    </message>
    <message>
        <source>Greyscale</source>
        <translation>灰度</translation>
    </message>
    <message>
        <source>Colours</source>
        <translation>颜色</translation>
    </message>
    <message>
        <source>As in the window</source>
        <translation>与窗口相同</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>语言</translation>
    </message>
    <message>
        <source>Above</source>
        <translation>上方</translation>
    </message>
    <message>
        <source>Below</source>
        <translation>下方</translation>
    </message>
    <message>
        <source>Top right</source>
        <translation>右上角</translation>
    </message>
    <message>
        <source>Bottom right</source>
        <translation>右下角</translation>
    </message>
    <message>
        <source>None</source>
        <translation>无</translation>
    </message>
    <message>
        <source>Legend</source>
        <translation>图例</translation>
    </message>
    <message>
        <source>x axis from</source>
        <translation>x 轴下限</translation>
    </message>
    <message>
        <source>x axis to</source>
        <translation>x 轴上限</translation>
    </message>
    <message>
        <source>y axis from</source>
        <translation>y 轴下限</translation>
    </message>
    <message>
        <source>y axis to</source>
        <translation>y 轴上限</translation>
    </message>
    <message>
        <source>auto</source>
        <translation>自动</translation>
    </message>
    <message>
        <source>x axis</source>
        <translation>x 轴</translation>
    </message>
    <message>
        <source>y axis</source>
        <translation>y 轴</translation>
    </message>
    <message>
        <source>to</source>
        <translation>到</translation>
    </message>
    <message>
        <source>%1: “%2” is not a number; leave it empty to fit the axis to the data.</source>
        <translation>%1：“%2”不是数字；留空则按数据自动确定坐标轴范围。</translation>
    </message>
    <message>
        <source>Vector formats stay sharp at any size; the resolution sets the number of pixels of a PNG.</source>
        <translation>矢量格式在任何尺寸下都清晰；PNG 的像素数由分辨率决定。</translation>
    </message>
    <message>
        <source>Size of the whole figure on paper; for a custom size, set the width and the height.</source>
        <translation>整幅图在纸上的尺寸；自定义尺寸可设置宽度和高度。</translation>
    </message>
    <message>
        <source>The palette of the curves on paper.</source>
        <translation>纸上曲线的配色。</translation>
    </message>
    <message>
        <source>The language of the texts in the figure.</source>
        <translation>图中文字的语言。</translation>
    </message>
    <message>
        <source>Where the names of the curves are.</source>
        <translation>曲线名称的位置。</translation>
    </message>
    <message>
        <source>A number; empty fits the axis to the data.</source>
        <translation>一个数；留空则按数据确定坐标轴范围。</translation>
    </message>
    <message>
        <source>Draws the raw values in a pale colour behind each smoothed curve.</source>
        <translation>在每条平滑曲线后面以浅色绘制平滑前的数值。</translation>
    </message>
    <message>
        <source>Shows the figure as a black-and-white printer prints it.</source>
        <translation>按黑白打印的效果显示图。</translation>
    </message>
    <message>
        <source>Size of the figure on paper.</source>
        <translation>图在纸上的尺寸。</translation>
    </message>
    <message>
        <source>Size of all text in the figure.</source>
        <translation>图中所有文字的字号。</translation>
    </message>
    <message>
        <source>Resolution of a PNG, in dots per inch of paper.</source>
        <translation>PNG 的分辨率：每英寸纸面的点数。</translation>
    </message>
    <message>
        <source>Shapes on the curves distinguish them without colour.</source>
        <translation>曲线上的标记使其不靠颜色也能区分。</translation>
    </message>
</context>
<context>
    <name>lockstep::ui::FindingsPage</name>
    <message>
        <source>Findings</source>
        <translation>结论</translation>
    </message>
    <message>
        <source>What the numbers of the shown runs mean, with summaries and settings.</source>
        <translation>所显示运行的数据说明了什么，并附汇总和设置。</translation>
    </message>
    <message>
        <source>Run an experiment, or tick runs in the table, to read what their numbers mean.</source>
        <translation>运行一个实验，或在运行记录中勾选若干运行，即可在这里看到数据说明了什么。</translation>
    </message>
    <message>
        <source>What the numbers say</source>
        <translation>实验结论</translation>
    </message>
    <message>
        <source>Summary</source>
        <translation>汇总</translation>
    </message>
    <message>
        <source>Status</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>Non-default settings</source>
        <translation>非默认设置</translation>
    </message>
    <message>
        <source>Compare in float64</source>
        <translation>用 float64 比较</translation>
    </message>
    <message>
        <source>All</source>
        <translation>全部</translation>
    </message>
    <message>
        <source>Answer</source>
        <translation>回答</translation>
    </message>
</context>
<context>
    <name>lockstep::ui::Fold</name>
    <message>
        <source>Shows or hides the settings of this section.</source>
        <translation>展开或收起这一组设置。</translation>
    </message>
</context>
<context>
    <name>lockstep::ui::FormModel</name>
    <message>
        <source>No variant is selected: tick at least one.</source>
        <translation>没有选择任何变体：请至少勾选一个。</translation>
    </message>
    <message>
        <source>above %1 and below %2</source>
        <translation>大于 %1 且小于 %2</translation>
    </message>
    <message>
        <source>above %1 and at most %2</source>
        <translation>大于 %1 且不超过 %2</translation>
    </message>
    <message>
        <source>at least %1 and below %2</source>
        <translation>不小于 %1 且小于 %2</translation>
    </message>
    <message>
        <source>%1 to %2</source>
        <translation>%1 到 %2</translation>
    </message>
    <message>
        <source>above %1</source>
        <translation>大于 %1</translation>
    </message>
    <message>
        <source>at least %1</source>
        <translation>不小于 %1</translation>
    </message>
    <message>
        <source>below %1</source>
        <translation>小于 %1</translation>
    </message>
    <message>
        <source>at most %1</source>
        <translation>不超过 %1</translation>
    </message>
    <message>
        <source>an integer</source>
        <translation>整数</translation>
    </message>
    <message>
        <source>an integer, %1</source>
        <translation>整数，%1</translation>
    </message>
    <message>
        <source>a number</source>
        <translation>数字</translation>
    </message>
    <message>
        <source>a number, %1</source>
        <translation>数字，%1</translation>
    </message>
    <message>
        <source>integers separated by commas</source>
        <translation>用逗号分隔的整数</translation>
    </message>
    <message>
        <source>numbers separated by commas</source>
        <translation>用逗号分隔的数字</translation>
    </message>
    <message>
        <source>This must be %1.</source>
        <translation>应为%1。</translation>
    </message>
    <message>
        <source>%1: %2 must be %3.</source>
        <translation>%1：%2应为%3。</translation>
    </message>
    <message>
        <source>%1 must be %2.</source>
        <translation>%1应为%2。</translation>
    </message>
    <message>
        <source>one of %1</source>
        <translation>以下之一：%1</translation>
    </message>
    <message>
        <source>a path</source>
        <translation>一个路径</translation>
    </message>
    <message>
        <source>Reset all parameters</source>
        <translation>重置所有参数</translation>
    </message>
    <message>
        <source>Tick %1</source>
        <translation>勾选 %1</translation>
    </message>
    <message>
        <source>Untick %1</source>
        <translation>取消勾选 %1</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%2 的%1</translation>
    </message>
    <message>
        <source>Repeats</source>
        <translation>重复次数</translation>
    </message>
    <message>
        <source>Title and question</source>
        <translation>标题与问题</translation>
    </message>
</context>
<context>
    <name>lockstep::ui::Gallery</name>
    <message>
        <source>EXPERIMENTS</source>
        <translation>实验</translation>
    </message>
    <message>
        <source>Experiments</source>
        <translation>实验</translation>
    </message>
    <message>
        <source>Mine</source>
        <translation>我的</translation>
    </message>
    <message>
        <source>Course</source>
        <translation>课程</translation>
    </message>
    <message>
        <source>Choose what to compare. A dot marks changes that are not saved.</source>
        <translation>选择要比较的内容。圆点表示有未保存的更改。</translation>
    </message>
    <message>
        <source>Rename…</source>
        <translation>重命名…</translation>
    </message>
    <message>
        <source>Duplicate</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>删除</translation>
    </message>
    <message>
        <source>Laboratories</source>
        <translation>课程实验</translation>
    </message>
    <message>
        <source>My own program…</source>
        <translation>我自己的程序…</translation>
    </message>
    <message>
        <source>Watches a Python script or any other program of yours, unchanged.</source>
        <translation>不改动代码，直接观察你的 Python 脚本或其他程序。</translation>
    </message>
</context>
<context>
    <name>lockstep::ui::HandInDialog</name>
    <message>
        <source>Hand in</source>
        <translation>提交</translation>
    </message>
    <message>
        <source>In the file</source>
        <translation>文件内容</translation>
    </message>
    <message>
        <source>What the file to hand in contains.</source>
        <translation>提交文件中的内容。</translation>
    </message>
    <message>
        <source>Another folder…</source>
        <translation>其他文件夹…</translation>
    </message>
    <message>
        <source>Where the file and the report are written.</source>
        <translation>文件和报告的保存位置。</translation>
    </message>
    <message>
        <source>Names and numbers…</source>
        <translation>姓名和学号…</translation>
    </message>
    <message>
        <source>Who works on this laboratory: one to four students.</source>
        <translation>做此实验的学生：一至四名。</translation>
    </message>
    <message>
        <source>Nothing is missing.</source>
        <translation>没有缺项。</translation>
    </message>
    <message>
        <source>Missing, and can be handed in all the same:</source>
        <translation>以下缺项，仍可提交：</translation>
    </message>
    <message>
        <source>In the file, without the names of hosts and users:</source>
        <translation>文件内容（不含主机名和用户名）：</translation>
    </message>
    <message>
        <source>Writes %1 and the report as Word and PDF into %2.</source>
        <translation>将 %1 以及 Word 和 PDF 报告写入 %2。</translation>
    </message>
    <message>
        <source>Where to write</source>
        <translation>保存位置</translation>
    </message>
    <message>
        <source>Written:</source>
        <translation>已写入：</translation>
    </message>
    <message>
        <source>Send %1 to your lecturer. The report, as Word and PDF, is for reading.</source>
        <translation>请把 %1 交给老师。报告（Word 和 PDF）供阅读。</translation>
    </message>
</context>
<context>
    <name>lockstep::ui::HandInSession</name>
    <message>
        <source>The file is being prepared…</source>
        <translation>正在准备文件…</translation>
    </message>
    <message>
        <source>Runs that are no longer in the store: %1</source>
        <translation>已不在存储中的运行：%1</translation>
    </message>
    <message>
        <source>The files are being written…</source>
        <translation>正在写入文件…</translation>
    </message>
    <message>
        <source>Prediction</source>
        <translation>预测</translation>
    </message>
    <message>
        <source>%1, step %2 of the laboratory</source>
        <comment>caption of a figure, number of a step</comment>
        <translation>%1，实验步骤 %2</translation>
    </message>
    <message>
        <source>: the prediction (dashed) over the measurement</source>
        <translation>：预测（虚线）与实测</translation>
    </message>
    <message>
        <source>%1, over epochs</source>
        <translation>%1，横轴为轮次</translation>
    </message>
    <message>
        <source>%1, over time</source>
        <translation>%1，横轴为时间</translation>
    </message>
</context>
<context>
    <name>lockstep::ui::HeaderBar</name>
    <message>
        <source>Resume</source>
        <translation>继续</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>暂停</translation>
    </message>
    <message>
        <source>Resumes the run (F9).</source>
        <translation>让运行继续（F9）。</translation>
    </message>
    <message>
        <source>Pauses the run at the next step (F9).</source>
        <translation>在下一步暂停运行（F9）。</translation>
    </message>
    <message>
        <source>Trains every ticked variant (Ctrl+Return).</source>
        <translation>训练每个勾选的变体（Ctrl+Return）。</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>开始</translation>
    </message>
    <message>
        <source>Experiment</source>
        <translation>实验</translation>
    </message>
    <message>
        <source>Choose another experiment (Ctrl+1 to Ctrl+7).</source>
        <translation>选择其他实验（Ctrl+1 到 Ctrl+7）。</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Commands</source>
        <translation>命令</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>设置</translation>
    </message>
    <message>
        <source>Language, appearance and panels.</source>
        <translation>语言、外观和面板。</translation>
    </message>
    <message>
        <source>Progress</source>
        <translation>进度</translation>
    </message>
    <message>
        <source>Progress of all runs.</source>
        <translation>全部运行的完成进度。</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 / %2</translation>
    </message>
    <message>
        <source>%1 · %2 · starting</source>
        <translation>%1 · %2 · 正在启动</translation>
    </message>
    <message>
        <source>%1 · %2 · %3 %</source>
        <translation>%1 · %2 · %3 %</translation>
    </message>
    <message>
        <source>%1 · %2 · epoch %3/%4</source>
        <translation>%1 · %2 · 第 %3/%4 轮</translation>
    </message>
    <message>
        <source>%1 · paused</source>
        <translation>%1 · 已暂停</translation>
    </message>
    <message>
        <source>%1 · stopping</source>
        <translation>%1 · 正在停止</translation>
    </message>
    <message>
        <source>%1 · %2 left</source>
        <translation>%1 · 剩余 %2</translation>
    </message>
    <message>
        <source>%1 · %2 left in all</source>
        <translation>%1 · 全部还剩 %2</translation>
    </message>
    <message>
        <source>Add to queue</source>
        <translation>加入队列</translation>
    </message>
    <message>
        <source>Adds the ticked variants to the queue; they start when the experiments before them have ended (Ctrl+Return).</source>
        <translation>将勾选的变体加入队列：前面的实验结束后开始（Ctrl+Return）。</translation>
    </message>
    <message>
        <source>Stops this experiment, or all (Ctrl+.).</source>
        <translation>停止此实验或全部实验（Ctrl+.）。</translation>
    </message>
    <message>
        <source>Search all commands (Ctrl+Shift+P or Ctrl+K).</source>
        <translation>搜索所有命令（Ctrl+Shift+P 或 Ctrl+K）。</translation>
    </message>
    <message>
        <source>Stop “%1”</source>
        <translation>停止“%1”</translation>
    </message>
    <message>
        <source>Report</source>
        <translation>报告</translation>
    </message>
    <message>
        <source>Writes a report of the shown runs: Word, PDF, web page, LaTeX (Alt+5).</source>
        <translation>为所显示的运行生成报告：Word、PDF、网页、LaTeX（Alt+5）。</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>Stops “%1”, or all (Ctrl+.).</source>
        <translation>停止“%1”，或全部停止（Ctrl+.）。</translation>
    </message>
</context>
<context>
    <name>lockstep::ui::HelpWindow</name>
    <message>
        <source>Allowed: %1.</source>
        <translation>可取值：%1。</translation>
    </message>
    <message>
        <source>Allowed: %1; default: %2.</source>
        <translation>可取值：%1；默认值：%2。</translation>
    </message>
    <message>
        <source>Help</source>
        <translation>帮助</translation>
    </message>
    <message>
        <source>Quick start</source>
        <translation>快速入门</translation>
    </message>
    <message>
        <source>Choose an experiment on the left, set its parameters on the right and press Run. Every variant trains in its own rank processes.</source>
        <translation>在左侧选择实验，在右侧设置参数，然后按“开始”。每个变体都在自己的 rank 进程中训练。</translation>
    </message>
    <message>
        <source>Watch the curves live: hover to read values, scroll to zoom, drag to pan, double-click to show everything, click a name in the legend to hide its curve.</source>
        <translation>曲线实时更新：悬停读数，滚轮缩放，拖动平移，双击显示全部，单击图例中的名称可隐藏对应曲线。</translation>
    </message>
    <message>
        <source>Tick stored runs in the table below to compare them. Findings says what the numbers mean.</source>
        <translation>在下方的运行记录中勾选已保存的运行，即可叠加比较。“结论”页说明这些数字意味着什么。</translation>
    </message>
    <message>
        <source>Keyboard</source>
        <translation>键盘快捷键</translation>
    </message>
    <message>
        <source>Parameters</source>
        <translation>参数</translation>
    </message>
    <message>
        <source>The form shows the parameters that apply. On the command line, set each with --set name=value.</source>
        <translation>表单只显示当前适用的参数。在命令行中用 --set 名称=值 设置。</translation>
    </message>
    <message>
        <source>How to use the window, its shortcuts and all parameters.</source>
        <translation>窗口的用法、快捷键和全部参数。</translation>
    </message>
    <message>
        <source>Contents</source>
        <translation>目录</translation>
    </message>
    <message>
        <source>The pages of the help.</source>
        <translation>帮助的各个页面。</translation>
    </message>
    <message>
        <source>Export saves what the tab shows as PDF, SVG, PNG, EPS or CSV, and charts as PGFPlots, in the size that a paper needs.</source>
        <translation>“导出”把标签页所示内容保存为 PDF、SVG、PNG、EPS 或 CSV，图表还可保存为 PGFPlots，尺寸可按论文要求设置。</translation>
    </message>
</context>
<context>
    <name>lockstep::ui::HostLinksModel</name>
    <message>
        <source>%1 and %2: %3 µs per message; %4 MB/s for long messages, one in each direction at once</source>
        <translation>%1 与 %2：一条消息需 %3 µs；两个方向同时各传一条长消息时为 %4 MB/s</translation>
    </message>
    <message>
        <source>not measured</source>
        <translation>未测量</translation>
    </message>
    <message>
        <source>%1 MB/s</source>
        <translation>%1 MB/s</translation>
    </message>
    <message>
        <source>%1 µs</source>
        <translation>%1 µs</translation>
    </message>
</context>
<context>
    <name>lockstep::ui::HostsPage</name>
    <message>
        <source>The list cannot be written to a temporary file: %1</source>
        <translation>无法把列表写入临时文件：%1</translation>
    </message>
    <message>
        <source>The hosts could not be queried: %1</source>
        <translation>无法查询各主机：%1</translation>
    </message>
    <message>
        <source>%1. The previous list is still used.</source>
        <translation>%1。仍使用此前的列表。</translation>
    </message>
    <message>
        <source>Measuring the pairs of hosts one after the other, a few seconds per pair…</source>
        <translation>正在逐对测量主机之间的链路，每对需几秒…</translation>
    </message>
    <message>
        <source>Querying the hosts over ssh…</source>
        <translation>正在通过 ssh 查询各主机…</translation>
    </message>
    <message>
        <source>Runs start on this machine.</source>
        <translation>运行在本机启动。</translation>
    </message>
    <message>
        <source>Runs start on these hosts: %1</source>
        <translation>运行在这些主机上启动：%1</translation>
    </message>
    <message>
        <source>, </source>
        <translation>、</translation>
    </message>
    <message>
        <source>HOSTS</source>
        <translation>主机</translation>
    </message>
    <message>
        <source>Hosts that ssh reaches without a password, one per line: NAME slots=N program=/PATH/lockstep-rank address=ADDRESS. Only the name is required.</source>
        <translation>ssh 无需密码即可登录的主机，每行一台：名称 slots=N program=/路径/lockstep-rank address=地址。除名称外均可省略。</translation>
    </message>
    <message>
        <source>Start runs on these hosts</source>
        <translation>在这些主机上启动运行</translation>
    </message>
    <message>
        <source>Links between the hosts: bandwidth of all-reduces of 4 MiB (upper right), latency of a message (lower left)</source>
        <translation>主机间的链路：4 MiB all-reduce 的带宽（右上），一条消息的延迟（左下）</translation>
    </message>
    <message>
        <source>Check</source>
        <translation>检查</translation>
    </message>
    <message>
        <source>Measure links</source>
        <translation>测量链路</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Back to the runs</source>
        <translation>返回运行</translation>
    </message>
    <message>
        <source>Hosts</source>
        <translation>主机</translation>
    </message>
    <message>
        <source>If unticked, runs start on this machine. Applies to experiments that start from now on.</source>
        <translation>不勾选则在本机启动。对此后开始的实验有效。</translation>
    </message>
    <message>
        <source>Check the hosts</source>
        <translation>检查各主机</translation>
    </message>
    <message>
        <source>Checks what each host has and whether ranks can start there.</source>
        <translation>查询每台主机的配置，以及能否在那里启动 rank。</translation>
    </message>
    <message>
        <source>Measure links between the hosts</source>
        <translation>测量主机间的链路</translation>
    </message>
    <message>
        <source>Measures latency and bandwidth between each pair of hosts.</source>
        <translation>测量每两台主机之间的延迟和带宽。</translation>
    </message>
    <message>
        <source>Stop querying the hosts</source>
        <translation>停止查询各主机</translation>
    </message>
    <message>
        <source>Stops querying or measuring the hosts.</source>
        <translation>停止查询或测量各主机。</translation>
    </message>
    <message>
        <source>Progress</source>
        <translation>进度</translation>
    </message>
    <message>
        <source>The hosts are being queried or measured.</source>
        <translation>正在查询或测量各主机。</translation>
    </message>
    <message>
        <source>Hosts and what they have</source>
        <translation>各主机及其配置</translation>
    </message>
    <message>
        <source>A row for each host.</source>
        <translation>每台主机一行。</translation>
    </message>
    <message>
        <source>Links between the hosts</source>
        <translation>主机间的链路</translation>
    </message>
    <message>
        <source>Check shows what each host has. Measure links also shows the latency and bandwidth between them.</source>
        <translation>“检查”显示每台主机的配置。“测量链路”还显示主机间的延迟和带宽。</translation>
    </message>
    <message>
        <source>Shows the runs again (Escape). A query or measurement in progress continues.</source>
        <translation>重新显示运行（Escape）。正在进行的查询或测量会继续。</translation>
    </message>
</context>
<context>
    <name>lockstep::ui::HostsTableModel</name>
    <message>
        <source>%1 (%2)</source>
        <translation>%1（%2）</translation>
    </message>
    <message>
        <source>can be used</source>
        <translation>可用</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 / %2</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>%1 ± %2</source>
        <translation>%1 ± %2</translation>
    </message>
    <message>
        <source>Host</source>
        <translation>主机</translation>
    </message>
    <message>
        <source>State</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>Slots</source>
        <translation>槽位（slots）</translation>
    </message>
    <message>
        <source>Cores</source>
        <translation>核心数</translation>
    </message>
    <message>
        <source>Free memory</source>
        <translation>空闲内存</translation>
    </message>
    <message>
        <source>GPUs</source>
        <translation>GPU</translation>
    </message>
    <message>
        <source>Address</source>
        <translation>地址</translation>
    </message>
    <message>
        <source>Round trip, ms</source>
        <translation>往返时间，ms</translation>
    </message>
    <message>
        <source>Clock ahead, ms</source>
        <translation>时钟偏差（ms）</translation>
    </message>
</context>
<context>
    <name>lockstep::ui::LaboratoryActions</name>
    <message>
        <source>Open a laboratory</source>
        <translation>打开课程实验</translation>
    </message>
    <message>
        <source>The file has changed since you began: the work keeps the earlier laboratory.</source>
        <translation>文件在你开始之后有改动：仍按原来的内容继续。</translation>
    </message>
    <message>
        <source>This step runs nothing.</source>
        <translation>此步骤不运行实验。</translation>
    </message>
    <message>
        <source>%1 – Lockstep</source>
        <translation>%1 – Lockstep</translation>
    </message>
    <message>
        <source>Laboratories</source>
        <translation>课程实验</translation>
    </message>
    <message>
        <source>Open a laboratory…</source>
        <translation>打开课程实验…</translation>
    </message>
    <message>
        <source>Hand in the laboratory…</source>
        <translation>提交课程实验…</translation>
    </message>
    <message>
        <source>Close the laboratory</source>
        <translation>关闭课程实验</translation>
    </message>
    <message>
        <source>Preview as a student</source>
        <translation>以学生身份预览</translation>
    </message>
    <message>
        <source>Another window cannot be started.</source>
        <translation>无法打开另一个窗口。</translation>
    </message>
    <message>
        <source>Laboratories and hand-ins (*.lab *.handin laboratory.json)</source>
        <translation>课程实验和提交文件 (*.lab *.handin laboratory.json)</translation>
    </message>
    <message>
        <source>Preview as a student…</source>
        <translation>以学生身份预览…</translation>
    </message>
    <message>
        <source>Mark hand-ins…</source>
        <translation>评分…</translation>
    </message>
    <message>
        <source>%1 was closed; its work is saved.</source>
        <translation>“%1”已关闭，内容已保存。</translation>
    </message>
</context>
<context>
    <name>lockstep::ui::LaboratoryCover</name>
    <message>
        <source>Course: %1</source>
        <translation>课程：%1</translation>
    </message>
    <message>
        <source>Takes about %1 minutes.</source>
        <translation>约需 %1 分钟。</translation>
    </message>
    <message>
        <source>Steps done: %1 of %2.</source>
        <translation>已完成 %1 步，共 %2 步。</translation>
    </message>
    <message>
        <source>The charts are shown once the predictions are sealed.</source>
        <translation>封存预测后显示图表。</translation>
    </message>
    <message>
        <source>The charts are shown once the experiment has run.</source>
        <translation>实验运行后显示图表。</translation>
    </message>
    <message>
        <source>Axes for your curve</source>
        <translation>绘制曲线的坐标轴</translation>
    </message>
    <message>
        <source>Draw with the mouse. Keys: left and right move, up and down change the height, Delete clears.</source>
        <translation>用鼠标绘制。按键：左右移动，上下改变高度，Delete 清除。</translation>
    </message>
    <message>
        <source>Dashed: your curve. Solid: as measured, the mean of the repeats.</source>
        <translation>虚线：你画的曲线。实线：实测曲线，取各次重复的平均值。</translation>
    </message>
    <message>
        <source>Enter your names and numbers first: the button is below the steps.</source>
        <translation>请先填写姓名和学号：按钮在步骤列表下方。</translation>
    </message>
</context>
<context>
    <name>lockstep::ui::LaboratoryModel</name>
    <message>
        <source>Seal this prediction first: %1</source>
        <translation>请先封存这项预测：%1</translation>
    </message>
    <message>
        <source>Enter your student number first: the seed follows from it.</source>
        <translation>请先填写学号：随机种子由它得出。</translation>
    </message>
    <message>
        <source>%1: hand-in of %2</source>
        <translation>%1：%2 的提交文件</translation>
    </message>
    <message>
        <source>, </source>
        <translation>、</translation>
    </message>
    <message>
        <source>This is a hand-in: it is only read.</source>
        <translation>这是提交文件，只能阅读。</translation>
    </message>
</context>
<context>
    <name>lockstep::ui::LaboratoryPage</name>
    <message>
        <source>Steps</source>
        <translation>步骤</translation>
    </message>
    <message>
        <source>The steps of the laboratory, with what is done.</source>
        <translation>实验的步骤及完成情况。</translation>
    </message>
    <message>
        <source>Who works on this laboratory: one to four students.</source>
        <translation>做此实验的学生：一至四名。</translation>
    </message>
    <message>
        <source>Hand in…</source>
        <translation>提交…</translation>
    </message>
    <message>
        <source>Shows what is missing, and writes the file to hand in.</source>
        <translation>显示缺项，并写出要提交的文件。</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Goes back to the experiments. Everything is saved.</source>
        <translation>回到实验列表。所有内容均已保存。</translation>
    </message>
    <message>
        <source>Previous step</source>
        <translation>上一步</translation>
    </message>
    <message>
        <source>Shows the step before this one.</source>
        <translation>显示前一个步骤。</translation>
    </message>
    <message>
        <source>Next step</source>
        <translation>下一步</translation>
    </message>
    <message>
        <source>Shows the step after this one.</source>
        <translation>显示后一个步骤。</translation>
    </message>
    <message>
        <source>Text of the step</source>
        <translation>步骤正文</translation>
    </message>
    <message>
        <source>What this step is about.</source>
        <translation>此步骤的内容。</translation>
    </message>
    <message>
        <source>Mark as read</source>
        <translation>标为已读</translation>
    </message>
    <message>
        <source>Marks this step as read.</source>
        <translation>将此步骤标为已读。</translation>
    </message>
    <message>
        <source>Marks this step as read and shows the next one.</source>
        <translation>将此步骤标为已读并显示下一步。</translation>
    </message>
    <message>
        <source>no run has finished</source>
        <translation>没有已完成的运行</translation>
    </message>
    <message>
        <source>needs your number</source>
        <translation>需要学号</translation>
    </message>
    <message>
        <source>not right yet</source>
        <translation>尚未通过检查</translation>
    </message>
    <message>
        <source>Names and numbers…</source>
        <translation>姓名和学号…</translation>
    </message>
    <message>
        <source>running: %1 of %2 runs done</source>
        <translation>运行中：%2 次运行中已完成 %1 次</translation>
    </message>
    <message>
        <source>queued: %1 of %2 runs</source>
        <translation>排队中：%2 次运行中的 %1 次</translation>
    </message>
</context>
<context>
    <name>lockstep::ui::LogModel</name>
    <message>
        <source>s</source>
        <translation>s</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>Rank</source>
        <translation>Rank</translation>
    </message>
    <message>
        <source>Message</source>
        <translation>消息</translation>
    </message>
</context>
<context>
    <name>lockstep::ui::LogPage</name>
    <message>
        <source>All ranks</source>
        <translation>所有 rank</translation>
    </message>
    <message>
        <source>Rank %1</source>
        <translation>rank %1</translation>
    </message>
    <message>
        <source>LOG</source>
        <translation>日志</translation>
    </message>
    <message>
        <source>Rank</source>
        <translation>Rank</translation>
    </message>
    <message>
        <source>Shows the lines of one rank or of all ranks.</source>
        <translation>显示某个 rank 或所有 rank 的日志。</translation>
    </message>
    <message>
        <source>Level</source>
        <translation>级别</translation>
    </message>
    <message>
        <source>Shows all lines, or warnings and errors only.</source>
        <translation>显示全部日志，或只显示警告和错误。</translation>
    </message>
    <message>
        <source>All lines</source>
        <translation>全部日志</translation>
    </message>
    <message>
        <source>Warnings and errors</source>
        <translation>警告和错误</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Log</source>
        <translation>日志</translation>
    </message>
    <message>
        <source>Log lines of the shown runs: seconds, run, rank, message.</source>
        <translation>所显示运行的各个 rank 的日志：秒、运行、rank、消息。</translation>
    </message>
</context>
<context>
    <name>lockstep::ui::MarkDialog</name>
    <message>
        <source>Optional: the LMS&apos;s list, CSV or xlsx</source>
        <translation>可选：学习平台的名单，CSV 或 xlsx</translation>
    </message>
    <message>
        <source>Late after</source>
        <translation>截止时间</translation>
    </message>
    <message>
        <source>Run the code in a sandbox</source>
        <translation>在沙盒中运行代码</translation>
    </message>
    <message>
        <source>Mark hand-ins</source>
        <translation>评分</translation>
    </message>
    <message>
        <source>Folder…</source>
        <translation>文件夹…</translation>
    </message>
    <message>
        <source>File…</source>
        <translation>文件…</translation>
    </message>
    <message>
        <source>Choose it on this computer.</source>
        <translation>在本机上选择。</translation>
    </message>
    <message>
        <source>Hand-ins</source>
        <translation>提交文件</translation>
    </message>
    <message>
        <source>A folder, or the zip archive that the LMS makes of all.</source>
        <translation>文件夹，或学习平台导出的 zip 压缩包。</translation>
    </message>
    <message>
        <source>Archives (*.zip)</source>
        <translation>压缩包 (*.zip)</translation>
    </message>
    <message>
        <source>Laboratory</source>
        <translation>实验</translation>
    </message>
    <message>
        <source>The laboratory that was handed out.</source>
        <translation>发给学生的实验。</translation>
    </message>
    <message>
        <source>Laboratories (*.lab)</source>
        <translation>实验 (*.lab)</translation>
    </message>
    <message>
        <source>Key</source>
        <translation>答案</translation>
    </message>
    <message>
        <source>The answers and points of this laboratory.</source>
        <translation>该实验的答案和分值。</translation>
    </message>
    <message>
        <source>Keys (*.key)</source>
        <translation>答案 (*.key)</translation>
    </message>
    <message>
        <source>Roster</source>
        <translation>名单</translation>
    </message>
    <message>
        <source>The LMS&apos;s list of students: points are filled in to a copy of it.</source>
        <translation>学习平台的学生名单：分数填入它的副本。</translation>
    </message>
    <message>
        <source>Lists (*.csv *.xlsx)</source>
        <translation>名单 (*.csv *.xlsx)</translation>
    </message>
    <message>
        <source>Results</source>
        <translation>结果</translation>
    </message>
    <message>
        <source>The folder of the results. Earlier marks there are kept and updated.</source>
        <translation>结果文件夹。其中已有的评分会保留并更新。</translation>
    </message>
    <message>
        <source>For the times of submission in the roster.</source>
        <translation>与名单中的提交时间比较。</translation>
    </message>
    <message>
        <source>Deadline</source>
        <translation>截止时间</translation>
    </message>
    <message>
        <source>None</source>
        <translation>无</translation>
    </message>
    <message>
        <source>Feedback</source>
        <translation>反馈</translation>
    </message>
    <message>
        <source>A file for each student: points, then why.</source>
        <translation>每名学生一个文件：先分数，后原因。</translation>
    </message>
    <message>
        <source>Progress</source>
        <translation>进度</translation>
    </message>
    <message>
        <source>Hand-ins that are marked.</source>
        <translation>已评分的提交文件。</translation>
    </message>
    <message>
        <source>To look at</source>
        <translation>需要查看</translation>
    </message>
    <message>
        <source>Open the class page</source>
        <translation>打开全班页面</translation>
    </message>
    <message>
        <source>Predictions beside results, and points of each step.</source>
        <translation>预测与结果并列，以及各步骤的分数。</translation>
    </message>
    <message>
        <source>Open the folder</source>
        <translation>打开文件夹</translation>
    </message>
    <message>
        <source>Opens the folder with the results.</source>
        <translation>打开结果所在的文件夹。</translation>
    </message>
    <message>
        <source>The sandbox is being tried…</source>
        <translation>正在试用沙盒…</translation>
    </message>
    <message>
        <source>Code steps take minutes for a class.</source>
        <translation>全班的代码步骤需要几分钟。</translation>
    </message>
    <message>
        <source>Code steps are marked by hand: %1</source>
        <translation>代码步骤需手工评分：%1</translation>
    </message>
    <message>
        <source>The hand-ins are being read…</source>
        <translation>正在读取提交文件…</translation>
    </message>
    <message>
        <source>Marked: %1 of %2</source>
        <translation>已评分：%1 / %2</translation>
    </message>
    <message>
        <source>It is being cancelled…</source>
        <translation>正在取消…</translation>
    </message>
    <message>
        <source>Mark</source>
        <translation>评分</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Marks all hand-ins and writes the results.</source>
        <translation>为所有提交文件评分并写出结果。</translation>
    </message>
    <message>
        <source>Ends the marking; nothing is written.</source>
        <translation>结束评分，不写出任何文件。</translation>
    </message>
    <message>
        <source>A file, or the id of a shipped one, such as optimizers</source>
        <translation>文件，或内置实验的标识符，例如 optimizers</translation>
    </message>
    <message>
        <source>Ids of runs, or numbers of students, with commas</source>
        <translation>运行编号或学号，用逗号隔开</translation>
    </message>
    <message>
        <source>A sample</source>
        <translation>抽样</translation>
    </message>
    <message>
        <source>Chosen runs</source>
        <translation>指定的运行</translation>
    </message>
    <message>
        <source>Run again</source>
        <translation>重新运行</translation>
    </message>
    <message>
        <source>Runs of the hand-ins are started here, and their losses compared.</source>
        <translation>在本机重新运行提交中的运行，并比较损失。</translation>
    </message>
    <message>
        <source>Runs</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>Finished runs drawn at random, first one of each hand-in.</source>
        <translation>随机抽取已完成的运行，每份提交先取一个。</translation>
    </message>
    <message>
        <source>Ids of runs, or numbers of students, with commas.</source>
        <translation>运行编号或学号，用逗号隔开。</translation>
    </message>
    <message>
        <source>Hand-ins that could not be read, equal parts, and other remarks.</source>
        <translation>无法读取的提交、相同部分及其他备注。</translation>
    </message>
    <message>
        <source>Open the answers</source>
        <translation>打开答案</translation>
    </message>
    <message>
        <source>The answers of all to each question, side by side.</source>
        <translation>每个问题的所有答案，并列显示。</translation>
    </message>
    <message>
        <source>Marked: %1. To mark by hand: %2 answers. Not read: %3. Equal parts: %4.</source>
        <translation>已评分：%1。待手工评分的答案：%2。未能读取：%3。有相同部分：%4。</translation>
    </message>
</context>
<context>
    <name>lockstep::ui::MessageStrip</name>
    <message>
        <source>Dismiss</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Closes this message.</source>
        <translation>关闭这条消息。</translation>
    </message>
    <message>
        <source>A message about this page.</source>
        <translation>关于本页的消息。</translation>
    </message>
</context>
<context>
    <name>lockstep::ui::NetCutHandle</name>
    <message>
        <source>Cut %1 of %2</source>
        <translation>切分线 %1 / %2</translation>
    </message>
    <message>
        <source>Between %1 and %2.</source>
        <translation>位于 %1 与 %2 之间。</translation>
    </message>
    <message>
        <source>Drag it, or move it with the arrow keys.</source>
        <translation>可拖动，或用方向键移动。</translation>
    </message>
</context>
<context>
    <name>lockstep::ui::NetPanel</name>
    <message>
        <source>%1, as in the form</source>
        <translation>%1（按表单）</translation>
    </message>
    <message>
        <source>%1, as it ran</source>
        <translation>%1（按运行时）</translation>
    </message>
    <message>
        <source>Cut by hand.</source>
        <translation>手动切分。</translation>
    </message>
    <message>
        <source>Cut balanced by FLOPs.</source>
        <translation>按 FLOPs 均衡切分。</translation>
    </message>
    <message>
        <source>%1 parameters, %2 FLOPs per sample in the forward pass.</source>
        <translation>共 %1 个参数，每个样本前向 %2 FLOPs。</translation>
    </message>
    <message>
        <source>If passes took time in proportion to their FLOPs, the bubble would be %1 % with this cut; %2 % if all parts took equally long.</source>
        <translation>若耗时与 FLOPs 成正比，此切分的气泡为 %1 %；若各段耗时相同则为 %2 %。</translation>
    </message>
    <message>
        <source>Net of</source>
        <translation>网络来自</translation>
    </message>
    <message>
        <source>The net to draw: that of a variant that Run would start, or that of a run as it was started.</source>
        <translation>画哪个网络：将要运行的某个变体，或某次运行启动时的网络。</translation>
    </message>
    <message>
        <source>Balance</source>
        <translation>自动均衡</translation>
    </message>
    <message>
        <source>Places the cuts so that all parts have nearly equal FLOPs, for any net.</source>
        <translation>把切分线放在使各段 FLOPs 尽量相等的位置，适用于任何网络。</translation>
    </message>
    <message>
        <source>Net</source>
        <translation>网络</translation>
    </message>
</context>
<context>
    <name>lockstep::ui::Notices</name>
    <message>
        <source>There is no chart yet: press Run, or tick a stored run in the table.</source>
        <translation>还没有图表：请按“开始”，或在运行记录中勾选一个已保存的运行。</translation>
    </message>
    <message>
        <source>Saved as %1.</source>
        <translation>已保存为 %1。</translation>
    </message>
    <message>
        <source>Imported from %1. New runs: %2; already present: %3.</source>
        <translation>已从 %1 导入。新的运行：%2；原已存在：%3。</translation>
    </message>
    <message>
        <source>Open its experiment</source>
        <translation>打开其中的实验</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>打开</translation>
    </message>
    <message>
        <source>Open folder</source>
        <translation>打开所在文件夹</translation>
    </message>
    <message>
        <source>Stop and close</source>
        <translation>停止并关闭</translation>
    </message>
    <message>
        <source>%1 failed: %2</source>
        <translation>%1 运行失败：%2</translation>
    </message>
    <message>
        <source>Run again</source>
        <translation>重新运行</translation>
    </message>
    <message>
        <source>%1 was interrupted at step %2. Resume it from its last checkpoint?</source>
        <translation>%1 在第 %2 步中断。从最近的检查点恢复？</translation>
    </message>
    <message>
        <source>Resume</source>
        <translation>恢复</translation>
    </message>
    <message>
        <source>Show it</source>
        <translation>显示该运行</translation>
    </message>
    <message>
        <source>Leave them running</source>
        <translation>关闭并继续运行</translation>
    </message>
    <message numerus="yes">
        <source>%n other experiment(s) wait in the queue.</source>
        <translation>
            <numerusform>队列中还有 %n 个实验在等待。</numerusform>
        </translation>
    </message>
    <message>
        <source>Stop, and pause the queue</source>
        <translation>停止并暂停队列</translation>
    </message>
    <message numerus="yes">
        <source>%1 is in the queue, behind %n experiment(s).</source>
        <translation>
            <numerusform>%1 已加入队列，前面有 %n 个实验。</numerusform>
        </translation>
    </message>
    <message>
        <source>Runs are in progress. They can be stopped, or continue without a window; the next window shows them again.</source>
        <translation>有运行正在进行。可以停止，也可以在没有窗口时继续；下次打开窗口时会再次显示。</translation>
    </message>
    <message>
        <source>Reading %1 while its ranks write it. The run is in the table of runs.</source>
        <translation>正在读取各 rank 仍在写入的 %1。该运行已在运行记录表中。</translation>
    </message>
    <message>
        <source>Show the run</source>
        <translation>显示该运行</translation>
    </message>
    <message>
        <source>Stop reading</source>
        <translation>停止读取</translation>
    </message>
    <message>
        <source>Stop “%1”</source>
        <translation>停止“%1”</translation>
    </message>
</context>
<context>
    <name>lockstep::ui::OrderList</name>
    <message>
        <source>Up</source>
        <translation>上移</translation>
    </message>
    <message>
        <source>Moves the chosen entry up (Alt+Up).</source>
        <translation>将所选项上移（Alt+Up）。</translation>
    </message>
    <message>
        <source>Down</source>
        <translation>下移</translation>
    </message>
    <message>
        <source>Moves the chosen entry down (Alt+Down).</source>
        <translation>将所选项下移（Alt+Down）。</translation>
    </message>
    <message>
        <source>Order</source>
        <translation>次序</translation>
    </message>
    <message>
        <source>Drag the entries into order, or use the buttons below.</source>
        <translation>拖动各项排序，或用下方按钮。</translation>
    </message>
</context>
<context>
    <name>lockstep::ui::OwnParametersRow</name>
    <message>
        <source>Read the script&apos;s parameters</source>
        <translation>读取脚本的参数</translation>
    </message>
    <message>
        <source>Reads the parameters that the script declares, without running it.</source>
        <translation>读取脚本声明的参数，不运行脚本。</translation>
    </message>
</context>
<context>
    <name>lockstep::ui::OwnProgramDialog</name>
    <message>
        <source>My own program</source>
        <translation>我自己的程序</translation>
    </message>
    <message>
        <source>Command</source>
        <translation>命令</translation>
    </message>
    <message>
        <source>As you would type it in a terminal: a Python script, torchrun, a shell script.</source>
        <translation>与在终端中输入的相同：Python 脚本、torchrun 或 shell 脚本。</translation>
    </message>
    <message>
        <source>those it makes</source>
        <translation>由程序创建</translation>
    </message>
    <message>
        <source>Ranks</source>
        <translation>rank 数</translation>
    </message>
    <message>
        <source>How often the program is started, as torchrun does it. A program that starts its ranks itself, or is a single process, is started once.</source>
        <translation>程序启动的次数，与 torchrun 相同。自行启动 rank 的程序或单进程程序只启动一次。</translation>
    </message>
    <message>
        <source>Browse…</source>
        <translation>浏览…</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>打开</translation>
    </message>
    <message>
        <source>Choose a program</source>
        <translation>选择程序</translation>
    </message>
    <message>
        <source>Scripts (*.py *.sh);;All files (*)</source>
        <translation>脚本 (*.py *.sh);;所有文件 (*)</translation>
    </message>
    <message>
        <source>Optimizers of your own</source>
        <translation>自己的优化器</translation>
    </message>
    <message>
        <source>Aggregation by hand</source>
        <translation>手写梯度聚合</translation>
    </message>
    <message>
        <source>A Sampler of your own</source>
        <translation>自己的 Sampler</translation>
    </message>
    <message>
        <source>A pipeline of layers</source>
        <translation>按层切分的流水线</translation>
    </message>
    <message>
        <source>DistributedDataParallel</source>
        <translation>DistributedDataParallel</translation>
    </message>
    <message>
        <source>Examples</source>
        <translation>示例</translation>
    </message>
    <message>
        <source>The example was copied into %1, where you can change it.</source>
        <translation>示例已复制到 %1，可在那里修改。</translation>
    </message>
</context>
<context>
    <name>lockstep::ui::ParameterField</name>
    <message>
        <source>Reset to %1</source>
        <translation>恢复为 %1</translation>
    </message>
    <message>
        <source>empty</source>
        <translation>空</translation>
    </message>
    <message>
        <source>%1 in %2</source>
        <translation>%1（%2）</translation>
    </message>
    <message>
        <source>Reset %1</source>
        <translation>重置%1</translation>
    </message>
    <message>
        <source>Choose a folder</source>
        <translation>选择文件夹</translation>
    </message>
    <message>
        <source>Choose a folder on this machine.</source>
        <translation>选择本机上的一个文件夹。</translation>
    </message>
    <message>
        <source>Choose a file</source>
        <translation>选择文件</translation>
    </message>
    <message>
        <source>Choose a file on this machine.</source>
        <translation>选择本机上的一个文件。</translation>
    </message>
</context>
<context>
    <name>lockstep::ui::ParameterPicker</name>
    <message>
        <source>Against</source>
        <translation>横轴</translation>
    </message>
    <message>
        <source>Parameter on the horizontal axis</source>
        <translation>横轴上的参数</translation>
    </message>
    <message>
        <source>The parameter on the horizontal axis. Lists the parameters that differ between the runs.</source>
        <translation>横轴上的参数，列出各次运行之间不同的参数。</translation>
    </message>
    <message>
        <source>The parameter that distinguishes lines or rows.</source>
        <translation>用来区分各条线或各行的参数。</translation>
    </message>
</context>
<context>
    <name>lockstep::ui::PredictionForm</name>
    <message>
        <source>The result stands here once its experiment has run.</source>
        <translation>实验运行后在此显示结果。</translation>
    </message>
    <message>
        <source>Choose one of the three.</source>
        <translation>请三选一。</translation>
    </message>
    <message>
        <source>Give three numbers: the least, the best guess and the greatest.</source>
        <translation>请填写三个数：下限、最佳估计和上限。</translation>
    </message>
    <message>
        <source>Draw the curve first.</source>
        <translation>请先画出曲线。</translation>
    </message>
    <message>
        <source>Least</source>
        <translation>下限</translation>
    </message>
    <message>
        <source>Best guess</source>
        <translation>最佳估计</translation>
    </message>
    <message>
        <source>Greatest</source>
        <translation>上限</translation>
    </message>
    <message>
        <source>The lower end of your range.</source>
        <translation>区间的下限。</translation>
    </message>
    <message>
        <source>The value that you think most likely.</source>
        <translation>你认为最可能的值。</translation>
    </message>
    <message>
        <source>The upper end of your range.</source>
        <translation>区间的上限。</translation>
    </message>
    <message>
        <source>Lower</source>
        <translation>更小</translation>
    </message>
    <message>
        <source>The same</source>
        <translation>相同</translation>
    </message>
    <message>
        <source>Higher</source>
        <translation>更大</translation>
    </message>
    <message>
        <source>Your prediction, before the experiment has run.</source>
        <translation>实验运行之前的预测。</translation>
    </message>
    <message>
        <source>Why?</source>
        <translation>为什么？</translation>
    </message>
    <message>
        <source>Reason</source>
        <translation>理由</translation>
    </message>
    <message>
        <source>Your reason in your own words; may be empty.</source>
        <translation>用自己的话说明理由；可不填。</translation>
    </message>
    <message>
        <source>Seal</source>
        <translation>封存</translation>
    </message>
    <message>
        <source>Keeps the prediction as it is: it cannot be changed afterwards.</source>
        <translation>封存预测：之后不能修改。</translation>
    </message>
</context>
<context>
    <name>lockstep::ui::QuestionForm</name>
    <message>
        <source>Answer</source>
        <translation>回答</translation>
    </message>
    <message>
        <source>Your answer. It is saved as you type.</source>
        <translation>你的回答，边输入边保存。</translation>
    </message>
    <message>
        <source>Saved as you type. Once sealed it stays, and what was hidden is shown.</source>
        <translation>边输入边保存。封存后不能修改，并显示被隐藏的内容。</translation>
    </message>
    <message>
        <source>Saved as you type.</source>
        <translation>边输入边保存。</translation>
    </message>
    <message>
        <source>Seal the answer</source>
        <translation>封存回答</translation>
    </message>
    <message>
        <source>Keeps the answer as it is, and shows what the laboratory hides.</source>
        <translation>封存回答，并显示实验中隐藏的内容。</translation>
    </message>
    <message>
        <source>Saved at once.</source>
        <translation>已保存。</translation>
    </message>
</context>
<context>
    <name>lockstep::ui::QueuePanel</name>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>cannot start</source>
        <translation>无法开始</translation>
    </message>
    <message>
        <source>paused</source>
        <translation>已暂停</translation>
    </message>
    <message>
        <source>waiting</source>
        <translation>等待中</translation>
    </message>
    <message>
        <source>running</source>
        <translation>运行中</translation>
    </message>
    <message>
        <source>stopping</source>
        <translation>正在停止</translation>
    </message>
    <message>
        <source>interrupted</source>
        <translation>已中断</translation>
    </message>
    <message>
        <source>damaged</source>
        <translation>已损坏</translation>
    </message>
    <message>
        <source>Empty: Add to queue adds an experiment while one runs.</source>
        <translation>队列为空：运行期间点击“加入队列”可添加实验。</translation>
    </message>
    <message>
        <source>about %1 in all</source>
        <translation>共约 %1</translation>
    </message>
    <message>
        <source>%1 · paused</source>
        <translation>%1 · 已暂停</translation>
    </message>
    <message>
        <source>%1 · run by process %2</source>
        <translation>%1 · 由进程 %2 执行</translation>
    </message>
    <message>
        <source>Resume</source>
        <translation>继续</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>暂停</translation>
    </message>
    <message>
        <source>Stop and remove</source>
        <translation>停止并移出</translation>
    </message>
    <message>
        <source>Remove from the queue</source>
        <translation>移出队列</translation>
    </message>
    <message>
        <source>Resume the queue</source>
        <translation>继续队列</translation>
    </message>
    <message>
        <source>Pause the queue</source>
        <translation>暂停队列</translation>
    </message>
    <message>
        <source>Lets experiments start again, and resumes the current one.</source>
        <translation>允许实验重新开始，并继续当前实验。</translation>
    </message>
    <message>
        <source>Pauses the current experiment; no other one starts.</source>
        <translation>暂停当前实验；不再开始其他实验。</translation>
    </message>
    <message>
        <source>QUEUE</source>
        <translation>队列</translation>
    </message>
    <message>
        <source>Experiment</source>
        <translation>实验</translation>
    </message>
    <message>
        <source>State</source>
        <translation>状态</translation>
    </message>
    <message>
        <source>Runs</source>
        <translation>运行数</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>时间</translation>
    </message>
    <message>
        <source>Run next</source>
        <translation>下一个运行</translation>
    </message>
    <message>
        <source>Move up</source>
        <translation>上移</translation>
    </message>
    <message>
        <source>Move down</source>
        <translation>下移</translation>
    </message>
    <message>
        <source>Remove all waiting</source>
        <translation>移除所有等待的实验</translation>
    </message>
    <message>
        <source>Change</source>
        <translation>更改</translation>
    </message>
    <message>
        <source>Change the queue</source>
        <translation>更改队列</translation>
    </message>
    <message>
        <source>Moves, pauses or removes the chosen experiment.</source>
        <translation>移动、暂停或移除所选实验。</translation>
    </message>
    <message>
        <source>Queue</source>
        <translation>队列</translation>
    </message>
    <message>
        <source>Experiments in the queue. Drag one to another place, or press Alt+Up and Alt+Down; Space pauses, Delete removes.</source>
        <translation>队列中的实验。可拖动到其他位置，或按 Alt+Up 和 Alt+Down；空格键暂停，Delete 移除。</translation>
    </message>
</context>
<context>
    <name>lockstep::ui::RankMapPanel</name>
    <message>
        <source>A row is a copy of the net, a column is a stage; ranks side by side share layers. Point at a rank to see which ranks it works with.</source>
        <translation>一行是网络的一个副本，一列是一个阶段；并排的 rank 分担各层。指向某个 rank，可查看它与谁协作。</translation>
    </message>
    <message>
        <source>Copies</source>
        <translation>副本</translation>
    </message>
    <message>
        <source>Stages</source>
        <translation>阶段</translation>
    </message>
    <message>
        <source>Parts</source>
        <translation>份数</translation>
    </message>
    <message>
        <source>Fewer copies</source>
        <translation>减少副本</translation>
    </message>
    <message>
        <source>Fewer stages</source>
        <translation>减少阶段</translation>
    </message>
    <message>
        <source>Fewer parts</source>
        <translation>减少份数</translation>
    </message>
    <message>
        <source>More copies</source>
        <translation>增加副本</translation>
    </message>
    <message>
        <source>More stages</source>
        <translation>增加阶段</translation>
    </message>
    <message>
        <source>More parts</source>
        <translation>增加份数</translation>
    </message>
    <message>
        <source>Rank map</source>
        <translation>rank 分布图</translation>
    </message>
</context>
<context>
    <name>lockstep::ui::RankMapView</name>
    <message>
        <source>Copy %1</source>
        <translation>副本 %1</translation>
    </message>
    <message>
        <source>Stage %1</source>
        <translation>阶段 %1</translation>
    </message>
    <message>
        <source>More ranks than a run can have.</source>
        <translation>rank 数超过一次运行所允许的上限。</translation>
    </message>
</context>
<context>
    <name>lockstep::ui::RankStrip</name>
    <message>
        <source>starting</source>
        <translation>正在启动</translation>
    </message>
    <message>
        <source>running</source>
        <translation>运行中</translation>
    </message>
    <message>
        <source>paused</source>
        <translation>已暂停</translation>
    </message>
    <message>
        <source>finished</source>
        <translation>已完成</translation>
    </message>
    <message>
        <source>stopped</source>
        <translation>已停止</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>失败</translation>
    </message>
    <message>
        <source>lost</source>
        <translation>失去联系</translation>
    </message>
    <message>
        <source>Rank %1, %2</source>
        <translation>rank %1，%2</translation>
    </message>
    <message>
        <source>Time per step and bar cover the last second:</source>
        <translation>每步耗时和色条均为最近一秒的数据：</translation>
    </message>
    <message>
        <source>rank %1</source>
        <translation>rank %1</translation>
    </message>
    <message>
        <source>step %1</source>
        <translation>第 %1 步</translation>
    </message>
    <message>
        <source>loss %1</source>
        <translation>损失 %1</translation>
    </message>
    <message>
        <source>%1 ms</source>
        <translation>%1 ms</translation>
    </message>
    <message>
        <source>Ranks</source>
        <translation>rank 数</translation>
    </message>
    <message>
        <source>One card per rank of the run in progress.</source>
        <translation>当前运行的每个 rank 一张卡片。</translation>
    </message>
    <message>
        <source>The ranks of a run appear here.</source>
        <translation>运行的各 rank 显示在这里。</translation>
    </message>
    <message>
        <source>Current state, step, batch loss, time per step and memory of this rank.</source>
        <translation>该 rank 当前的状态、步数、批次损失、每步耗时和内存。</translation>
    </message>
</context>
<context>
    <name>lockstep::ui::ReadOutSheet</name>
    <message>
        <source>and %1 more</source>
        <translation>另有 %1 条</translation>
    </message>
</context>
<context>
    <name>lockstep::ui::ReadingForm</name>
    <message>
        <source>Code</source>
        <translation>代码</translation>
    </message>
    <message>
        <source>The template of this step.</source>
        <translation>此步骤的代码模板。</translation>
    </message>
    <message>
        <source>This code is only shown; this version does not check it.</source>
        <translation>这段代码只供查看；本版本不检查它。</translation>
    </message>
</context>
<context>
    <name>lockstep::ui::ReplayBar</name>
    <message>
        <source>Pause the replay</source>
        <translation>暂停回放</translation>
    </message>
    <message>
        <source>Play the replay</source>
        <translation>播放回放</translation>
    </message>
    <message>
        <source>Plays or pauses the replay (Alt+P).</source>
        <translation>播放或暂停回放（Alt+P）。</translation>
    </message>
    <message>
        <source>Reading the run…</source>
        <translation>正在读取运行记录…</translation>
    </message>
    <message>
        <source>%1 of %2 s at %3×</source>
        <translation>%1 / %2 s，%3×</translation>
    </message>
    <message>
        <source>step %1 · %2</source>
        <translation>第 %1 步 · %2</translation>
    </message>
    <message>
        <source>Replay</source>
        <translation>回放</translation>
    </message>
    <message>
        <source>Step back</source>
        <translation>后退一步</translation>
    </message>
    <message>
        <source>Returns to the end of the previous step and pauses (Alt+Left).</source>
        <translation>回到上一步结束处并暂停（Alt+Left）。</translation>
    </message>
    <message>
        <source>Step forward</source>
        <translation>前进一步</translation>
    </message>
    <message>
        <source>Advances to the end of the next step and pauses (Alt+Right).</source>
        <translation>前进到下一步结束处并暂停（Alt+Right）。</translation>
    </message>
    <message>
        <source>Next message</source>
        <translation>下一条消息</translation>
    </message>
    <message>
        <source>Advances to the end of the next recorded message between ranks and pauses (Alt+M).</source>
        <translation>前进到 rank 之间下一条已记录消息的结束处并暂停（Alt+M）。</translation>
    </message>
    <message>
        <source>Time of the replay</source>
        <translation>回放时间</translation>
    </message>
    <message>
        <source>Moves the replay to another moment.</source>
        <translation>把回放移到另一时刻。</translation>
    </message>
    <message>
        <source>Leave the replay</source>
        <translation>退出回放</translation>
    </message>
    <message>
        <source>Shows again what was shown before (Escape).</source>
        <translation>恢复回放之前显示的内容（Esc）。</translation>
    </message>
    <message>
        <source>Speed</source>
        <translation>速度</translation>
    </message>
    <message>
        <source>Speed relative to the original run.</source>
        <translation>相对于原运行速度的倍数。</translation>
    </message>
    <message>
        <source>%1×</source>
        <translation>%1×</translation>
    </message>
</context>
<context>
    <name>lockstep::ui::ReplaySession</name>
    <message>
        <source>There is no finished run to replay: select one in the list of runs.</source>
        <translation>没有可回放的已结束运行：请在运行列表中选择一个。</translation>
    </message>
    <message>
        <source>, </source>
        <translation>、</translation>
    </message>
</context>
<context>
    <name>lockstep::ui::ReportBar</name>
    <message>
        <source>%1 of %2</source>
        <comment>page</comment>
        <translation>%1 / %2</translation>
    </message>
    <message>
        <source>Parts</source>
        <translation>组成部分</translation>
    </message>
    <message>
        <source>Hides the parts, so that the pages are as wide as the window.</source>
        <translation>隐藏组成部分，使页面与窗口同宽。</translation>
    </message>
    <message>
        <source>Smaller pages</source>
        <translation>缩小页面</translation>
    </message>
    <message>
        <source>Down to the width of the window.</source>
        <translation>最小为窗口宽度。</translation>
    </message>
    <message>
        <source>Larger pages</source>
        <translation>放大页面</translation>
    </message>
    <message>
        <source>Also with Ctrl and the wheel.</source>
        <translation>也可按住 Ctrl 并滚动滚轮。</translation>
    </message>
    <message>
        <source>Previous page</source>
        <translation>上一页</translation>
    </message>
    <message>
        <source>Also with Page Up.</source>
        <translation>也可按 Page Up。</translation>
    </message>
    <message>
        <source>Next page</source>
        <translation>下一页</translation>
    </message>
    <message>
        <source>Also with Page Down.</source>
        <translation>也可按 Page Down。</translation>
    </message>
</context>
<context>
    <name>lockstep::ui::ReportPage</name>
    <message>
        <source>Heading</source>
        <translation>标题</translation>
    </message>
    <message>
        <source>Text</source>
        <translation>文字</translation>
    </message>
    <message>
        <source>Findings</source>
        <translation>结论</translation>
    </message>
    <message>
        <source>Figure</source>
        <translation>图</translation>
    </message>
    <message>
        <source>Table</source>
        <translation>表</translation>
    </message>
    <message>
        <source>Question</source>
        <translation>问题</translation>
    </message>
    <message>
        <source>Listing</source>
        <translation>清单</translation>
    </message>
    <message>
        <source>Caption:</source>
        <translation>图表标题：</translation>
    </message>
    <message>
        <source>Sentences, one per line:</source>
        <translation>句子，每行一句：</translation>
    </message>
    <message>
        <source>Text:</source>
        <translation>文字：</translation>
    </message>
    <message>
        <source>Choose a part to edit its text.</source>
        <translation>选择一个部分以编辑其文字。</translation>
    </message>
    <message>
        <source>Export the report</source>
        <translation>导出报告</translation>
    </message>
    <message>
        <source>Word (*.docx);;PDF (*.pdf);;Web page (*.html);;Markdown (*.md);;LaTeX (*.tex)</source>
        <translation>Word (*.docx);;PDF (*.pdf);;网页 (*.html);;Markdown (*.md);;LaTeX (*.tex)</translation>
    </message>
    <message>
        <source>Template</source>
        <translation>模板</translation>
    </message>
    <message>
        <source>The parts that the report has, and their order.</source>
        <translation>报告包含哪些部分及其顺序。</translation>
    </message>
    <message>
        <source>Export…</source>
        <translation>导出…</translation>
    </message>
    <message>
        <source>Writes the report as Word, PDF, a web page, Markdown or LaTeX.</source>
        <translation>将报告导出为 Word、PDF、网页、Markdown 或 LaTeX。</translation>
    </message>
    <message>
        <source>Up</source>
        <translation>上移</translation>
    </message>
    <message>
        <source>Moves the chosen part up.</source>
        <translation>将所选部分上移。</translation>
    </message>
    <message>
        <source>Down</source>
        <translation>下移</translation>
    </message>
    <message>
        <source>Moves the chosen part down.</source>
        <translation>将所选部分下移。</translation>
    </message>
    <message>
        <source>Reset all</source>
        <translation>全部还原</translation>
    </message>
    <message>
        <source>Discards your order, omissions and text; keeps the name.</source>
        <translation>放弃您调整的顺序、省略的部分和修改的文字；姓名保留。</translation>
    </message>
    <message>
        <source>Reset</source>
        <translation>还原</translation>
    </message>
    <message>
        <source>Restores the generated text of this part.</source>
        <translation>恢复该部分自动生成的文字。</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>姓名</translation>
    </message>
    <message>
        <source>Your name, for the title page.</source>
        <translation>您的姓名，用于封面。</translation>
    </message>
    <message>
        <source>Student number</source>
        <translation>学号</translation>
    </message>
    <message>
        <source>Your student number, for the title page.</source>
        <translation>您的学号，用于封面。</translation>
    </message>
    <message>
        <source>Parts of the report</source>
        <translation>报告的各部分</translation>
    </message>
    <message>
        <source>Untick a part to leave it out; drag it to move it.</source>
        <translation>取消勾选可省略该部分；拖动可调整位置。</translation>
    </message>
    <message>
        <source>Text of the chosen part</source>
        <translation>所选部分的文字</translation>
    </message>
    <message>
        <source>Your text is stored separately from the generated text and is kept when the runs change.</source>
        <translation>您的文字与自动生成的文字分开保存，更换运行后仍然保留。</translation>
    </message>
    <message>
        <source>Open a template…</source>
        <translation>打开模板…</translation>
    </message>
    <message>
        <source>A JSON file. Those in %1 are in this list.</source>
        <translation>JSON 文件。%1 中的模板会出现在此列表中。</translation>
    </message>
    <message>
        <source>Open a template</source>
        <translation>打开模板</translation>
    </message>
    <message>
        <source>Templates (*.json)</source>
        <translation>模板 (*.json)</translation>
    </message>
    <message>
        <source>%1 exists already: choose another name.</source>
        <translation>%1 已存在：请换一个名称。</translation>
    </message>
    <message>
        <source>Questions without an answer, not printed: %1</source>
        <translation>未作答而不印出的问题：%1</translation>
    </message>
    <message>
        <source>New section</source>
        <translation>新的一节</translation>
    </message>
    <message>
        <source>Write here.</source>
        <translation>在此书写。</translation>
    </message>
    <message>
        <source>Class</source>
        <translation>班级</translation>
    </message>
    <message>
        <source>Your class or group, for the title page; empty: no line.</source>
        <translation>标题页上的班级或小组；留空则不显示。</translation>
    </message>
    <message>
        <source>Add section</source>
        <translation>添加一节</translation>
    </message>
    <message>
        <source>Adds a heading and a text of your own behind the chosen part.</source>
        <translation>在所选部分之后添加自己的标题和文字。</translation>
    </message>
</context>
<context>
    <name>lockstep::ui::ReportPreview</name>
    <message>
        <source>Preview of the report</source>
        <translation>报告预览</translation>
    </message>
    <message>
        <source>Pages: %1</source>
        <translation>页数：%1</translation>
    </message>
</context>
<context>
    <name>lockstep::ui::RingPanel</name>
    <message>
        <source>Pause</source>
        <translation>暂停</translation>
    </message>
    <message>
        <source>Play</source>
        <translation>播放</translation>
    </message>
    <message>
        <source>Messages dropped under load: %1.</source>
        <translation>因负载过高丢弃了 %1 条消息。</translation>
    </message>
    <message numerus="yes">
        <source>%n recorded step(s)</source>
        <translation>
            <numerusform>已记录 %n 步</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 messages per second</source>
        <translation>每秒 %1 条消息</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>步</translation>
    </message>
    <message>
        <source>Recorded steps that are kept; selecting one plays it from its beginning.</source>
        <translation>保留下来的已记录的步；选中后从头播放。</translation>
    </message>
    <message>
        <source>Live</source>
        <translation>实时</translation>
    </message>
    <message>
        <source>Moves on to the newest recorded step at the end of each step.</source>
        <translation>播放完一步后转到最新记录的一步。</translation>
    </message>
    <message>
        <source>Plays the messages of this step in order of arrival (Space).</source>
        <translation>按实际到达的顺序播放这一步的消息（空格键）。</translation>
    </message>
    <message>
        <source>Next message</source>
        <translation>下一条消息</translation>
    </message>
    <message>
        <source>Advances to the end of the next message and stays there (right arrow key).</source>
        <translation>前进到下一条消息结束并停在那里（右方向键）。</translation>
    </message>
    <message>
        <source>Speed</source>
        <translation>速度</translation>
    </message>
    <message>
        <source>Playback speed. The messages in the run were far faster.</source>
        <translation>消息的播放速度；实际运行中要快得多。</translation>
    </message>
</context>
<context>
    <name>lockstep::ui::RingView</name>
    <message>
        <source>The messages between the ranks in one training step, and what each chunk sums. Space plays or pauses, the right arrow key advances by one message.</source>
        <translation>一个训练步中各 rank 之间的消息，以及每个分块累加了什么。空格键播放或暂停，右方向键前进一条消息。</translation>
    </message>
    <message>
        <source>Every rank has the complete sum.</source>
        <translation>每个 rank 都有了完整的和。</translation>
    </message>
    <message>
        <source>Waiting for the next message.</source>
        <translation>正在等待下一条消息。</translation>
    </message>
    <message>
        <source>Waiting for rank %1.</source>
        <translation>正在等待 rank %1。</translation>
    </message>
    <message>
        <source>The recording of this step ends here.</source>
        <translation>这一步的记录到此为止。</translation>
    </message>
    <message>
        <source>The recording of this step ends here: rank %1 sent nothing more.</source>
        <translation>这一步的记录到此为止：rank %1 没有再发送。</translation>
    </message>
    <message>
        <source>Reduce-scatter: each rank adds the incoming chunk to its own</source>
        <translation>归约散射：每个 rank 把收到的分块加到自己的分块上</translation>
    </message>
    <message>
        <source>All-gather: complete chunks travel around the ring and are kept</source>
        <translation>全收集：完整的分块绕环传递并被保存</translation>
    </message>
    <message>
        <source>%1 of %2 messages · %3B sent by all ranks</source>
        <translation>%1 / %2 条消息 · 所有 rank 共发送 %3B</translation>
    </message>
    <message>
        <source>Waiting for the first recorded step: only the messages of some steps are recorded.</source>
        <translation>正在等待第一个被记录的步：只记录部分步的消息。</translation>
    </message>
    <message>
        <source>No messages between ranks were recorded in this run.</source>
        <translation>本次运行没有记录 rank 之间的消息。</translation>
    </message>
    <message>
        <source>Messages of an all-reduce</source>
        <translation>全归约的消息</translation>
    </message>
    <message>
        <source>Reduce: partial sums move up the tree to rank 0</source>
        <translation>归约：部分和沿树向上传到 rank 0</translation>
    </message>
    <message>
        <source>Broadcast: the complete sum moves down the tree</source>
        <translation>广播：完整的和沿树向下传</translation>
    </message>
    <message>
        <source>Reduce-scatter: partners send each other half of what they sum, and add it</source>
        <translation>归约散射：配对的 rank 互发所求和数据的一半并相加</translation>
    </message>
    <message>
        <source>All-gather: partners send each other all that is complete</source>
        <translation>全收集：配对的 rank 互发已完成的全部数据</translation>
    </message>
    <message>
        <source>Push: rank 0, the server, adds what each worker sends</source>
        <translation>推送：服务器 rank 0 累加各工作 rank 发来的数据</translation>
    </message>
    <message>
        <source>Pull: the server sends the complete sum to each worker</source>
        <translation>拉取：服务器把完整的和发给各工作 rank</translation>
    </message>
</context>
<context>
    <name>lockstep::ui::RunCost</name>
    <message numerus="yes">
        <source>%n run(s)</source>
        <translation>
            <numerusform>%n 次运行</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 · ≈ %2 · %3 measurements</source>
        <translation>%1 · ≈ %2 · %3 次测量</translation>
    </message>
    <message>
        <source>%1 · ≈ %2 · %3 parameters · %4 steps</source>
        <translation>%1 · ≈ %2 · %3 个参数 · %4 步</translation>
    </message>
    <message>
        <source>%1 · up to %2 more to compare times</source>
        <translation>%1 · 为准确比较耗时，最多再测 %2</translation>
    </message>
    <message>
        <source>%1 (a rough guess)</source>
        <translation>%1（粗略估计）</translation>
    </message>
</context>
<context>
    <name>lockstep::ui::RunGroupsModel</name>
    <message numerus="yes">
        <source>%1 of %n runs count: finished ones, each seed once, none changed by hand.</source>
        <translation>
            <numerusform>%n 次运行中有 %1 次计入：已完成，每个种子一次，且未被手动干预。</numerusform>
        </translation>
    </message>
    <message>
        <source>These settings differ within the group, so its intervals reflect more than chance: %1</source>
        <translation>组内这些设置不同，因此区间不只反映随机性：%1</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>Also differs</source>
        <translation>其他差别</translation>
    </message>
    <message>
        <source>Runs that differ at most in their seeds.</source>
        <translation>除随机种子外设置全部相同的运行。</translation>
    </message>
    <message>
        <source>Number of runs that the figures are based on.</source>
        <translation>计入统计的运行次数。</translation>
    </message>
    <message>
        <source>Mean with its 95 % confidence interval. %1</source>
        <translation>均值及其 95% 置信区间。%1</translation>
    </message>
    <message>
        <source>Difference from the baseline with its 95 % confidence interval; paired by seed where the runs have the same seeds.</source>
        <translation>与基线之差及其 95% 置信区间；种子相同时按种子配对。</translation>
    </message>
    <message>
        <source>Settings that differ between the runs of a group.</source>
        <translation>组内各运行之间不同的设置。</translation>
    </message>
</context>
<context>
    <name>lockstep::ui::RunList</name>
    <message>
        <source>RUNS</source>
        <translation>运行记录</translation>
    </message>
    <message>
        <source>Runs</source>
        <translation>运行记录</translation>
    </message>
    <message>
        <source>%1  n=%2</source>
        <translation>%1  n=%2</translation>
    </message>
    <message>
        <source>Runs by experiment and start time. Return shows only the runs that were started together; Space ticks runs to show them.</source>
        <translation>按实验和开始时间列出的运行。按回车键只显示一同开始的这一组；按空格键勾选要显示的运行。</translation>
    </message>
    <message>
        <source>Show only these in charts</source>
        <translation>图中只显示这些</translation>
    </message>
    <message>
        <source>Replay</source>
        <translation>回放</translation>
    </message>
</context>
<context>
    <name>lockstep::ui::RunPicker</name>
    <message>
        <source>Run</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>The run that is drawn here.</source>
        <translation>这里绘制的是哪一个运行。</translation>
    </message>
</context>
<context>
    <name>lockstep::ui::RunTabs</name>
    <message>
        <source>Net</source>
        <translation>网络</translation>
    </message>
    <message>
        <source>Timeline</source>
        <translation>时间线</translation>
    </message>
    <message>
        <source>Findings</source>
        <translation>结论</translation>
    </message>
    <message>
        <source>Charts and findings</source>
        <translation>图表和结论</translation>
    </message>
    <message>
        <source>The charts of the shown runs, and what their numbers mean.</source>
        <translation>所显示运行的图表，以及数据说明了什么。</translation>
    </message>
    <message>
        <source>Report</source>
        <translation>报告</translation>
    </message>
    <message>
        <source>Learning</source>
        <translation>学习</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>时间</translation>
    </message>
    <message>
        <source>System</source>
        <translation>系统</translation>
    </message>
    <message>
        <source>Pages</source>
        <translation>页面</translation>
    </message>
    <message>
        <source>Chart</source>
        <translation>图表</translation>
    </message>
    <message>
        <source>The chart of this page (Ctrl+Page Up, Ctrl+Page Down).</source>
        <translation>本页显示的图表（Ctrl+Page Up、Ctrl+Page Down）。</translation>
    </message>
    <message>
        <source>, </source>
        <translation>、</translation>
    </message>
    <message>
        <source>Messages</source>
        <translation>消息</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <comment>experiments: runs</comment>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>What the charts are about (Alt+1 to Alt+5).</source>
        <translation>图表的类别（Alt+1 至 Alt+5）。</translation>
    </message>
</context>
<context>
    <name>lockstep::ui::RunsActions</name>
    <message>
        <source>Add a tag</source>
        <translation>添加标签</translation>
    </message>
    <message numerus="yes">
        <source>Tag for %n runs</source>
        <translation>
            <numerusform>给 %n 次运行添加的标签</numerusform>
        </translation>
    </message>
    <message>
        <source>Resume from its last checkpoint</source>
        <translation>从最近的检查点恢复</translation>
    </message>
    <message>
        <source>Rename</source>
        <translation>重命名</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>删除</translation>
    </message>
    <message>
        <source>Show in charts</source>
        <translation>在图中显示</translation>
    </message>
    <message>
        <source>Show only these in charts</source>
        <translation>图中只显示这些</translation>
    </message>
    <message>
        <source>Clear the charts</source>
        <translation>清空图表</translation>
    </message>
    <message>
        <source>Pin on top</source>
        <translation>置顶</translation>
    </message>
    <message>
        <source>Add a tag…</source>
        <translation>添加标签…</translation>
    </message>
    <message>
        <source>Use as baseline</source>
        <translation>设为基线</translation>
    </message>
    <message>
        <source>What differs…</source>
        <translation>查看差别…</translation>
    </message>
    <message>
        <source>Export as CSV…</source>
        <translation>导出为 CSV…</translation>
    </message>
    <message>
        <source>Export as LaTeX…</source>
        <translation>导出为 LaTeX…</translation>
    </message>
    <message>
        <source>Delete old runs…</source>
        <translation>删除旧的运行记录…</translation>
    </message>
    <message>
        <source>Details…</source>
        <translation>详细信息…</translation>
    </message>
    <message>
        <source>Show as PyTorch…</source>
        <translation>显示为 PyTorch 脚本…</translation>
    </message>
    <message>
        <source>Use these settings</source>
        <translation>采用这些设置</translation>
    </message>
    <message>
        <source>Save as a bundle…</source>
        <translation>保存为打包文件…</translation>
    </message>
    <message>
        <source>Replay</source>
        <translation>回放</translation>
    </message>
    <message>
        <source>Keep these</source>
        <translation>保留这些</translation>
    </message>
    <message>
        <source>The runs that are shown stay beside those of the next experiment.</source>
        <translation>当前显示的运行保留下来，与下一个实验的运行并列显示。</translation>
    </message>
    <message>
        <source>Unpin</source>
        <translation>取消保留</translation>
    </message>
    <message>
        <source>The next experiment shows its own runs alone.</source>
        <translation>下一个实验只显示它自己的运行。</translation>
    </message>
</context>
<context>
    <name>lockstep::ui::RunsPage</name>
    <message>
        <source>The run “%1” has been deleted.</source>
        <translation>已删除运行“%1”。</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>撤销</translation>
    </message>
    <message>
        <source>RUNS</source>
        <translation>运行记录</translation>
    </message>
    <message>
        <source>Filter runs</source>
        <translation>筛选运行</translation>
    </message>
    <message numerus="yes">
        <source>%n runs have been deleted.</source>
        <translation>
            <numerusform>已删除 %n 个运行。</numerusform>
        </translation>
    </message>
    <message>
        <source>All stored runs. Space shows the selected run in the charts, F2 renames it, F8 resumes it, Delete removes it.</source>
        <translation>所有已保存的运行。空格键在图表中显示所选运行，F2 重命名，F8 从检查点恢复，Delete 删除。</translation>
    </message>
    <message>
        <source>One row per run</source>
        <translation>每次运行一行</translation>
    </message>
    <message>
        <source>Repeats of a variant</source>
        <translation>按变体合并重复</translation>
    </message>
    <message>
        <source>Other settings…</source>
        <translation>其他设置…</translation>
    </message>
    <message>
        <source>Grouped ▾</source>
        <translation>已分组 ▾</translation>
    </message>
    <message>
        <source>Group ▾</source>
        <translation>分组 ▾</translation>
    </message>
    <message numerus="yes">
        <source>%n runs</source>
        <translation>
            <numerusform>%n 条运行记录</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 of %n runs</source>
        <translation>
            <numerusform>%n 条运行记录中的 %1 条</numerusform>
        </translation>
    </message>
    <message>
        <source>, differences from %1</source>
        <translation>，与 %1 比较</translation>
    </message>
    <message>
        <source>Filter: a word, or accuracy &gt; 0.94 and net = cnn</source>
        <translation>筛选：一个词，或 accuracy &gt; 0.94 and net = cnn</translation>
    </message>
    <message>
        <source>Words, or comparisons with = != &lt; &lt;= &gt; &gt;= and ~ (contains), joined by and, or, not and parentheses. Columns are figures such as loss and accuracy and parameters such as net or lr.</source>
        <translation>输入词，或用 = != &lt; &lt;= &gt; &gt;= 和 ~（包含）写出比较，并用 and、or、not 和括号连接。列可以是 loss、accuracy 等指标，也可以是 net、lr 等参数。</translation>
    </message>
    <message>
        <source>Columns ▾</source>
        <translation>列 ▾</translation>
    </message>
    <message>
        <source>More</source>
        <translation>更多</translation>
    </message>
    <message>
        <source>Group</source>
        <translation>分组</translation>
    </message>
    <message>
        <source>One row per group of runs, with mean and 95 % confidence interval.</source>
        <translation>每组运行一行，给出均值和 95% 置信区间。</translation>
    </message>
    <message>
        <source>Columns</source>
        <translation>列</translation>
    </message>
    <message>
        <source>Which figures and settings are shown.</source>
        <translation>选择显示哪些指标和设置。</translation>
    </message>
    <message>
        <source>Charts, baseline, export, tags and deleting.</source>
        <translation>图表、基线、导出、标签和删除。</translation>
    </message>
    <message>
        <source>Groups of runs</source>
        <translation>运行分组</translation>
    </message>
    <message>
        <source>More ▾</source>
        <translation>更多 ▾</translation>
    </message>
    <message>
        <source>Table of runs</source>
        <translation>运行记录表</translation>
    </message>
    <message>
        <source>; in the charts: %1</source>
        <translation>；图表中：%1</translation>
    </message>
    <message>
        <source>, none in the charts</source>
        <translation>，图表中没有运行</translation>
    </message>
    <message numerus="yes">
        <source>; %n of them kept</source>
        <translation>
            <numerusform>；其中保留 %n 次</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockstep::ui::RunsTableModel</name>
    <message>
        <source>queued</source>
        <translation>排队中</translation>
    </message>
    <message>
        <source>starting</source>
        <translation>正在启动</translation>
    </message>
    <message>
        <source>running</source>
        <translation>运行中</translation>
    </message>
    <message>
        <source>paused</source>
        <translation>已暂停</translation>
    </message>
    <message>
        <source>stopping</source>
        <translation>正在停止</translation>
    </message>
    <message>
        <source>finished</source>
        <translation>已完成</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>失败</translation>
    </message>
    <message>
        <source>stopped</source>
        <translation>已停止</translation>
    </message>
    <message>
        <source>interrupted</source>
        <translation>已中断</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>Tick a run to draw it in the charts. Double-click its name to change it.</source>
        <translation>勾选运行即可在图表中显示。双击名称可以修改。</translation>
    </message>
    <message>
        <source>Number of finished runs with these settings and distinct seeds, not counting runs changed by hand.</source>
        <translation>使用这些设置且种子各不相同的已完成运行的数目，不含受人工干预的运行。</translation>
    </message>
    <message>
        <source>Changed by hand during the run: excluded from statistics and comparisons unless the settings include such runs.</source>
        <translation>运行中受人工干预：除非在设置中选择计入，否则不计入统计和比较。</translation>
    </message>
</context>
<context>
    <name>lockstep::ui::RunsView</name>
    <message>
        <source>Hide this column</source>
        <translation>隐藏此列</translation>
    </message>
    <message>
        <source>Group by this column</source>
        <translation>按此列分组</translation>
    </message>
    <message>
        <source>Show the number of repeats</source>
        <translation>显示重复次数</translation>
    </message>
    <message>
        <source>Choose columns…</source>
        <translation>选择列…</translation>
    </message>
</context>
<context>
    <name>lockstep::ui::ScriptDialog</name>
    <message>
        <source>The variant that is shown as a script.</source>
        <translation>以脚本显示的变体。</translation>
    </message>
    <message>
        <source>Copies the script to the clipboard.</source>
        <translation>将脚本复制到剪贴板。</translation>
    </message>
    <message>
        <source>Saves the script, and a folder with the weights and the order of samples.</source>
        <translation>保存脚本，以及含权重和样本顺序的文件夹。</translation>
    </message>
    <message>
        <source>Closes this window.</source>
        <translation>关闭此窗口。</translation>
    </message>
    <message>
        <source>Save the script</source>
        <translation>保存脚本</translation>
    </message>
    <message>
        <source>Python scripts (*.py)</source>
        <translation>Python 脚本 (*.py)</translation>
    </message>
    <message>
        <source>Saved: %1, and beside it %2 with the weights and the order of samples.</source>
        <translation>已保存：%1；旁边的 %2 含有权重和样本顺序。</translation>
    </message>
    <message>
        <source>Writing the script…</source>
        <translation>正在生成脚本…</translation>
    </message>
    <message>
        <source>As a PyTorch script</source>
        <translation>PyTorch 脚本</translation>
    </message>
    <message>
        <source>Variant</source>
        <translation>变体</translation>
    </message>
    <message>
        <source>Script</source>
        <translation>脚本</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Save…</source>
        <translation>保存…</translation>
    </message>
    <message>
        <source>Race it</source>
        <translation>对照运行</translation>
    </message>
    <message>
        <source>Runs the script alongside this run, with the same losses, to compare their times.</source>
        <translation>让它与这次运行并排运行：损失相同，并比较时间。</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
</context>
<context>
    <name>lockstep::ui::SealedBox</name>
    <message>
        <source>Sealed %1. Seal code: %2</source>
        <translation>封存于 %1。封存码：%2</translation>
    </message>
    <message>
        <source>A remark, added later</source>
        <translation>事后添加的备注</translation>
    </message>
    <message>
        <source>Remark</source>
        <translation>备注</translation>
    </message>
    <message>
        <source>What is sealed stays; a remark stands below it.</source>
        <translation>已封存的内容不变；备注附在其下。</translation>
    </message>
    <message>
        <source>Add</source>
        <translation>添加</translation>
    </message>
    <message>
        <source>Adds the remark to what is sealed.</source>
        <translation>为已封存的内容添加备注。</translation>
    </message>
    <message>
        <source>It can no longer be changed; you may add a remark. Note the seal code if your lecturer collects it.</source>
        <translation>封存后不能再改，可以补充备注。老师收集封存码时，请把它记下来。</translation>
    </message>
</context>
<context>
    <name>lockstep::ui::SecondChart</name>
    <message>
        <source>Second chart</source>
        <translation>第二个图</translation>
    </message>
    <message>
        <source>The chart that is shown beside the first one.</source>
        <translation>显示在第一个图旁边的图。</translation>
    </message>
    <message>
        <source>Close the second chart</source>
        <translation>关闭第二个图</translation>
    </message>
    <message>
        <source>Shows one chart again (Ctrl+Shift+T).</source>
        <translation>恢复只显示一个图（Ctrl+Shift+T）。</translation>
    </message>
</context>
<context>
    <name>lockstep::ui::SessionEnd</name>
    <message>
        <source>Runs are stopped with a checkpoint.</source>
        <translation>正在停止运行并保存检查点。</translation>
    </message>
</context>
<context>
    <name>lockstep::ui::StragglerStrip</name>
    <message>
        <source>all ranks</source>
        <translation>所有 rank</translation>
    </message>
    <message>
        <source>rank %1</source>
        <translation>rank %1</translation>
    </message>
    <message>
        <source>Slow down</source>
        <translation>人为减慢</translation>
    </message>
    <message>
        <source>Rank to slow down</source>
        <translation>要人为减慢的 rank</translation>
    </message>
    <message>
        <source>Extra time per step</source>
        <translation>每步附加延时</translation>
    </message>
    <message>
        <source>Link latency</source>
        <translation>链路延迟</translation>
    </message>
    <message>
        <source>Link bandwidth</source>
        <translation>链路带宽</translation>
    </message>
    <message>
        <source>Takes effect at the next step that all ranks agree on and is marked in the charts.</source>
        <translation>在所有 rank 约定的下一步生效，并标在图表上。</translation>
    </message>
    <message>
        <source>The rank that these sliders slow down.</source>
        <translation>这些滑块让哪个 rank 变慢。</translation>
    </message>
    <message>
        <source>Slows down a rank or its link while a run of several ranks is in progress.</source>
        <translation>在多 rank 运行进行时减慢某个 rank 或其链路。</translation>
    </message>
    <message>
        <source>The run in progress does not support this.</source>
        <translation>正在进行的运行不支持此项。</translation>
    </message>
    <message>
        <source>Extra time: %1 ms</source>
        <translation>附加延时：%1 ms</translation>
    </message>
    <message>
        <source>Latency: %1 µs</source>
        <translation>延迟：%1 µs</translation>
    </message>
    <message>
        <source>Latency: %1 ms</source>
        <translation>延迟：%1 ms</translation>
    </message>
    <message>
        <source>Bandwidth: no limit</source>
        <translation>带宽：不限</translation>
    </message>
    <message>
        <source>Bandwidth: %1 Mbit/s</source>
        <translation>带宽：%1 Mbit/s</translation>
    </message>
    <message>
        <source>Bandwidth: %1 Gbit/s</source>
        <translation>带宽：%1 Gbit/s</translation>
    </message>
</context>
<context>
    <name>lockstep::ui::StudentsDialog</name>
    <message>
        <source>Names and numbers</source>
        <translation>姓名和学号</translation>
    </message>
    <message>
        <source>One to four students. The first one&apos;s number makes the seed of experiments that ask for it.</source>
        <translation>一至四名学生。需要时，随机种子由第一名学生的学号得出。</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>姓名</translation>
    </message>
    <message>
        <source>Student number</source>
        <translation>学号</translation>
    </message>
    <message>
        <source>Name %1</source>
        <translation>姓名 %1</translation>
    </message>
    <message>
        <source>In any script.</source>
        <translation>可用任何文字。</translation>
    </message>
    <message>
        <source>Student number %1</source>
        <translation>学号 %1</translation>
    </message>
    <message>
        <source>As text: leading zeros stay.</source>
        <translation>按文本保存：保留前导零。</translation>
    </message>
</context>
<context>
    <name>lockstep::ui::TimelinePanel</name>
    <message>
        <source>Follow</source>
        <translation>跟随</translation>
    </message>
    <message>
        <source>Keeps the newest steps in view (End, or a double-click).</source>
        <translation>始终显示最新的几步（End 键或双击）。</translation>
    </message>
    <message>
        <source>Whole run</source>
        <translation>整个运行</translation>
    </message>
    <message>
        <source>Shows all spans that are kept, from the first to the last.</source>
        <translation>显示保留下来的全部区段，从第一个到最后一个。</translation>
    </message>
    <message>
        <source>Export</source>
        <translation>导出</translation>
    </message>
    <message>
        <source>Export the timeline</source>
        <translation>导出时间线</translation>
    </message>
    <message>
        <source>Colours</source>
        <translation>着色</translation>
    </message>
    <message>
        <source>Micro-batches</source>
        <translation>微批次</translation>
    </message>
    <message>
        <source>Phases</source>
        <translation>环节</translation>
    </message>
    <message>
        <source>By micro-batch, with the bubble shaded, or by phase, as everywhere else in this window.</source>
        <translation>按微批次着色并用阴影标出气泡，或按环节着色（与窗口其他地方一致）。</translation>
    </message>
    <message>
        <source>Critical path</source>
        <translation>关键路径</translation>
    </message>
    <message>
        <source>Draws the work that determines the time of each step; the ranks on this path make the others wait.</source>
        <translation>在每一步中画出决定其用时的工作：路径上的 rank 使其他 rank 等待。</translation>
    </message>
    <message>
        <source>Saves what is shown as PDF, SVG, PNG, EPS or CSV (Ctrl+E).</source>
        <translation>把所示内容保存为 PDF、SVG、PNG、EPS 或 CSV（Ctrl+E）。</translation>
    </message>
</context>
<context>
    <name>lockstep::ui::TimelineView</name>
    <message>
        <source>Timeline</source>
        <translation>时间线</translation>
    </message>
    <message>
        <source>What each rank did and when. The wheel or + and − zoom, dragging or the arrow keys move, Home goes to the beginning, End or a double-click to the newest steps.</source>
        <translation>每个 rank 在何时做了什么。滚轮或 + 和 − 缩放，拖动或方向键移动，Home 回到开头，End 或双击转到最新的几步。</translation>
    </message>
    <message>
        <source>Press Run to see what each rank does and when.</source>
        <translation>按“开始”查看每个 rank 在何时做什么。</translation>
    </message>
    <message>
        <source>%1 has not started yet.</source>
        <translation>%1 尚未开始。</translation>
    </message>
    <message>
        <source>%1 has no spans.</source>
        <translation>%1 没有区段。</translation>
    </message>
    <message>
        <source>Waiting for the first spans of %1…</source>
        <translation>正在等待 %1 的第一批区段…</translation>
    </message>
    <message>
        <source>rank %1 · %2</source>
        <translation>rank %1 · %2</translation>
    </message>
    <message>
        <source>step %1</source>
        <translation>第 %1 步</translation>
    </message>
    <message>
        <source>starts at %1 s</source>
        <translation>开始于 %1 s</translation>
    </message>
    <message>
        <source>takes %1</source>
        <translation>耗时 %1</translation>
    </message>
    <message numerus="yes">
        <source>%n shorter one(s) in this pixel</source>
        <translation>
            <numerusform>此像素内另有 %n 个较短的区段</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 · micro-batch %2</source>
        <translation>%1 · 微批次 %2</translation>
    </message>
</context>
<context>
    <name>lockstep::ui::VariantsDialog</name>
    <message>
        <source>Only a random sample of</source>
        <translation>只取随机样本，个数</translation>
    </message>
    <message>
        <source>Variants in the sample</source>
        <translation>样本中的变体数</translation>
    </message>
    <message>
        <source>How many of the variants are kept, drawn at random.</source>
        <translation>随机保留多少个变体。</translation>
    </message>
    <message numerus="yes">
        <source>%n variant(s)</source>
        <translation>
            <numerusform>%n 个变体</numerusform>
        </translation>
    </message>
    <message>
        <source>Keeps some of the variants, drawn at random.</source>
        <translation>随机抽取并保留一部分变体。</translation>
    </message>
</context>
<context>
    <name>lockstep::ui::VariantsEditor</name>
    <message>
        <source>Variant</source>
        <translation>变体</translation>
    </message>
    <message>
        <source>Add a variant</source>
        <translation>添加变体</translation>
    </message>
    <message>
        <source>Duplicate %1</source>
        <translation>复制 %1</translation>
    </message>
    <message>
        <source>Delete %1</source>
        <translation>删除 %1</translation>
    </message>
    <message>
        <source>Move %1</source>
        <translation>移动 %1</translation>
    </message>
    <message>
        <source>Use the shared value of %1</source>
        <translation>使用共同的%1</translation>
    </message>
    <message>
        <source>Fill %1…</source>
        <translation>填充%1…</translation>
    </message>
    <message>
        <source>Do not vary %1</source>
        <translation>不再改变%1</translation>
    </message>
    <message>
        <source>+ Variant</source>
        <translation>+ 变体</translation>
    </message>
    <message>
        <source>Adds a variant with the values of the last one.</source>
        <translation>添加一个变体，取值与最后一个相同。</translation>
    </message>
    <message>
        <source>+ Vary…</source>
        <translation>+ 改变参数…</translation>
    </message>
    <message>
        <source>Vary a parameter</source>
        <translation>改变参数</translation>
    </message>
    <message>
        <source>Chooses a parameter and the values that the variants take: a list or a range.</source>
        <translation>选择一个参数以及各变体取的值：列表或范围。</translation>
    </message>
    <message>
        <source>Combine…</source>
        <translation>组合…</translation>
    </message>
    <message>
        <source>Combine two parameters</source>
        <translation>组合两个参数</translation>
    </message>
    <message>
        <source>Makes a variant for every combination of the values of two parameters.</source>
        <translation>对一个参数的每个值与另一个参数的每个值，各建一个变体。</translation>
    </message>
    <message>
        <source>Duplicate, rename, move or delete the chosen variant.</source>
        <translation>复制、重命名、移动或删除所选的变体。</translation>
    </message>
    <message>
        <source>Variants</source>
        <translation>变体</translation>
    </message>
    <message>
        <source>One row per variant, one column per parameter that varies. Tick what Run trains; click a value to change it.</source>
        <translation>每行一个变体，每列一个变化的参数。勾选要训练的变体；点击数值可以修改。</translation>
    </message>
    <message>
        <source>Duplicate</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Rename</source>
        <translation>重命名</translation>
    </message>
    <message>
        <source>Move up</source>
        <translation>上移</translation>
    </message>
    <message>
        <source>Move down</source>
        <translation>下移</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>删除</translation>
    </message>
</context>
<context>
    <name>lockstep::ui::VariantsModel</name>
    <message>
        <source>%1 (%2 of %3)</source>
        <translation>%1（%2 / %3）</translation>
    </message>
    <message>
        <source>Whether Run trains all variants of this group.</source>
        <translation>是否训练这一组的所有变体。</translation>
    </message>
    <message>
        <source>%1 (baseline)</source>
        <translation>%1（基线）</translation>
    </message>
    <message>
        <source>%1: the other variants are compared with this one.</source>
        <translation>%1：其他变体与它比较。</translation>
    </message>
    <message>
        <source>Whether Run trains %1.</source>
        <translation>是否训练 %1。</translation>
    </message>
    <message>
        <source>The value that all variants share.</source>
        <translation>所有变体共同的值。</translation>
    </message>
    <message>
        <source>%1 of %2: %3</source>
        <translation>%2 的%1：%3</translation>
    </message>
    <message>
        <source>Variant</source>
        <translation>变体</translation>
    </message>
    <message>
        <source>Tick %1</source>
        <translation>勾选 %1</translation>
    </message>
    <message>
        <source>Untick %1</source>
        <translation>取消勾选 %1</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%2 的%1</translation>
    </message>
    <message>
        <source>Rename %1</source>
        <translation>重命名 %1</translation>
    </message>
    <message>
        <source>Move %1</source>
        <translation>移动 %1</translation>
    </message>
</context>
<context>
    <name>lockstep::ui::VaryDialog</name>
    <message>
        <source>Every variant with every value</source>
        <translation>全部组合</translation>
    </message>
    <message>
        <source>One value for each variant</source>
        <translation>逐一对应</translation>
    </message>
    <message>
        <source>Vary a parameter</source>
        <translation>改变参数</translation>
    </message>
    <message>
        <source>Parameter</source>
        <translation>参数</translation>
    </message>
    <message>
        <source>Values</source>
        <translation>取值</translation>
    </message>
    <message>
        <source>List</source>
        <translation>列表</translation>
    </message>
    <message>
        <source>Range</source>
        <translation>范围</translation>
    </message>
    <message>
        <source>Logarithmic range</source>
        <translation>对数范围</translation>
    </message>
    <message>
        <source>A list of values, or numbers with equal spacing or equal ratios.</source>
        <translation>一列数值，或等差、等比的数。</translation>
    </message>
    <message>
        <source>Tick the values that variants take.</source>
        <translation>勾选各变体取的值。</translation>
    </message>
    <message>
        <source>From</source>
        <translation>从</translation>
    </message>
    <message>
        <source>The first value.</source>
        <translation>第一个值。</translation>
    </message>
    <message>
        <source>To</source>
        <translation>到</translation>
    </message>
    <message>
        <source>The last value.</source>
        <translation>最后一个值。</translation>
    </message>
    <message>
        <source>Number of values</source>
        <translation>值的个数</translation>
    </message>
    <message>
        <source>Number of values, including the first and the last.</source>
        <translation>值的个数，包括第一个和最后一个。</translation>
    </message>
    <message>
        <source>to</source>
        <translation>到</translation>
    </message>
    <message>
        <source>in</source>
        <translation>共</translation>
    </message>
    <message>
        <source>values</source>
        <translation>个值</translation>
    </message>
    <message>
        <source>on</source>
        <translation>开</translation>
    </message>
    <message>
        <source>off</source>
        <translation>关</translation>
    </message>
    <message>
        <source>Lists separated by semicolons, for example 0; 1,2</source>
        <translation>各列表用分号隔开，例如 0; 1,2</translation>
    </message>
    <message>
        <source>Separated by commas</source>
        <translation>用逗号隔开</translation>
    </message>
    <message>
        <source>Each value must be %1, and different from the others.</source>
        <translation>每个值必须是%1，且各不相同。</translation>
    </message>
    <message>
        <source>A range needs two different numbers. Each value must be %1.</source>
        <translation>范围需要两个不同的数。每个值必须是%1。</translation>
    </message>
    <message>
        <source>A logarithmic range needs two different numbers above 0. Each value must be %1.</source>
        <translation>对数范围需要两个大于 0 的不同的数。每个值必须是%1。</translation>
    </message>
    <message>
        <source>“%1” is %2</source>
        <translation>“%1”为%2</translation>
    </message>
    <message>
        <source> or </source>
        <translation>或 </translation>
    </message>
    <message>
        <source>%1 has no effect in these variants.</source>
        <translation>%1 在这些变体中不起作用。</translation>
    </message>
    <message>
        <source>%1 has no effect in these variants. It applies where %2.</source>
        <translation>%1 在这些变体中不起作用。它适用于：%2。</translation>
    </message>
    <message>
        <source> and </source>
        <translation>且</translation>
    </message>
    <message>
        <source>Vary %1</source>
        <translation>改变%1</translation>
    </message>
    <message>
        <source>Type a part of its name, or choose it from the list. Values can follow after name=.</source>
        <translation>输入名称的一部分，或从列表中选择。在“名称=”之后可直接输入取值。</translation>
    </message>
    <message>
        <source>Makes a variant for every combination of an existing variant and a value.</source>
        <translation>对每个现有变体与每个取值的组合各建一个变体。</translation>
    </message>
    <message>
        <source>Assigns the values to the variants in order.</source>
        <translation>按顺序把各取值分给各变体。</translation>
    </message>
    <message>
        <source>“%1” is not allowed: each value must be %2.</source>
        <translation>“%1”不可用：每个值须为%2。</translation>
    </message>
</context>
<context>
    <name>lockstep::ui::ViewMenu</name>
    <message numerus="yes">
        <source>%n runs of the view %1 are not in the store.</source>
        <translation>
            <numerusform>视图 %1 中有 %n 次运行不在运行库中。</numerusform>
        </translation>
    </message>
    <message>
        <source>Save this view</source>
        <translation>保存当前视图</translation>
    </message>
    <message>
        <source>Name of the view. It replaces a view of the same name.</source>
        <translation>视图的名称。同名的视图将被替换。</translation>
    </message>
    <message>
        <source>Saved views</source>
        <translation>已保存的视图</translation>
    </message>
    <message>
        <source>Delete a view</source>
        <translation>删除视图</translation>
    </message>
    <message>
        <source>Save this view…</source>
        <translation>保存当前视图…</translation>
    </message>
</context>
<context>
    <name>lockstep::ui::WindowActions</name>
    <message>
        <source>Run the experiment</source>
        <translation>开始实验</translation>
    </message>
    <message>
        <source>Pause or resume</source>
        <translation>暂停或继续</translation>
    </message>
    <message>
        <source>Save a checkpoint of the run</source>
        <translation>保存运行的检查点</translation>
    </message>
    <message>
        <source>Filter the runs</source>
        <translation>筛选运行</translation>
    </message>
    <message>
        <source>Search commands</source>
        <translation>搜索命令</translation>
    </message>
    <message>
        <source>Show the chart alone</source>
        <translation>只显示图表</translation>
    </message>
    <message>
        <source>Show experiments</source>
        <translation>显示实验列表</translation>
    </message>
    <message>
        <source>Show parameters</source>
        <translation>显示参数</translation>
    </message>
    <message>
        <source>Reset all parameters</source>
        <translation>重置所有参数</translation>
    </message>
    <message>
        <source>Help</source>
        <translation>帮助</translation>
    </message>
    <message>
        <source>Quit</source>
        <translation>退出</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>语言</translation>
    </message>
    <message>
        <source>Appearance</source>
        <translation>外观</translation>
    </message>
    <message>
        <source>Colours of the curves</source>
        <translation>曲线配色</translation>
    </message>
    <message>
        <source>System language</source>
        <translation>跟随系统</translation>
    </message>
    <message>
        <source>Follow the system</source>
        <translation>跟随系统</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>浅色</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>深色</translation>
    </message>
    <message>
        <source>Vibrant</source>
        <translation>鲜明</translation>
    </message>
    <message>
        <source>High contrast</source>
        <translation>高对比度</translation>
    </message>
    <message>
        <source>Include runs changed by hand in statistics</source>
        <translation>统计中计入受人工干预的运行</translation>
    </message>
    <message>
        <source>Go to the page %1</source>
        <translation>转到页面“%1”</translation>
    </message>
    <message>
        <source>Show %1: %2</source>
        <translation>显示 %1：%2</translation>
    </message>
    <message>
        <source>Next chart of the page</source>
        <translation>本页的下一个图表</translation>
    </message>
    <message>
        <source>Previous chart of the page</source>
        <translation>本页的上一个图表</translation>
    </message>
    <message>
        <source>Show the table of runs</source>
        <translation>显示运行记录表</translation>
    </message>
    <message>
        <source>Show the log</source>
        <translation>显示日志</translation>
    </message>
    <message>
        <source>Export what is shown…</source>
        <translation>导出所示内容…</translation>
    </message>
    <message>
        <source>Copy what is shown</source>
        <translation>复制所示内容</translation>
    </message>
    <message>
        <source>Check this machine…</source>
        <translation>检查本机…</translation>
    </message>
    <message>
        <source>Show a second chart</source>
        <translation>显示第二个图</translation>
    </message>
    <message>
        <source>Presenter mode: the chart alone, in large type</source>
        <translation>演示模式：仅显示图表，使用大号字</translation>
    </message>
    <message>
        <source>Replay the shown runs</source>
        <translation>回放所显示的运行</translation>
    </message>
    <message>
        <source>Replay: play or pause</source>
        <translation>回放：播放或暂停</translation>
    </message>
    <message>
        <source>Replay: step back</source>
        <translation>回放：后退一步</translation>
    </message>
    <message>
        <source>Replay: step forward</source>
        <translation>回放：前进一步</translation>
    </message>
    <message>
        <source>Add the experiment to the queue</source>
        <translation>将实验加入队列</translation>
    </message>
    <message>
        <source>Stop the runs</source>
        <translation>停止运行</translation>
    </message>
    <message>
        <source>Show the queue</source>
        <translation>显示队列</translation>
    </message>
    <message>
        <source>Replay: next message</source>
        <translation>回放：下一条消息</translation>
    </message>
    <message>
        <source>Hosts</source>
        <translation>主机</translation>
    </message>
</context>
</TS>
