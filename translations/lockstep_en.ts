<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en" sourcelanguage="en">
<context>
    <name>CleanUp</name>
    <message numerus="yes">
        <source>%n runs will be deleted; this can be undone.</source>
        <translation>
            <numerusform>%n run will be deleted; this can be undone.</numerusform>
            <numerusform>%n runs will be deleted; this can be undone.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>NetView</name>
    <message numerus="yes">
        <source>Output, %n sample(s)</source>
        <translation>
            <numerusform>Output, %n sample</numerusform>
            <numerusform>Output, %n samples</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1: %n layer(s), %2 % of the FLOPs</source>
        <translation>
            <numerusform>%1: %n layer, %2 % of the FLOPs</numerusform>
            <numerusform>%1: %n layers, %2 % of the FLOPs</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Rank&apos;s output, %n sample(s)</source>
        <translation>
            <numerusform>Rank&apos;s output, %n sample</numerusform>
            <numerusform>Rank&apos;s output, %n samples</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>PipelineSteps</name>
    <message numerus="yes">
        <source>%1 % in the %n step(s) shown</source>
        <translation>
            <numerusform>%1 % in the step shown</numerusform>
            <numerusform>%1 % in the %n steps shown</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockstep::ui::ChartModel</name>
    <message numerus="yes">
        <source>%n runs have no bar: failed, or fewer steps than the warm-up (%1)</source>
        <translation>
            <numerusform>%n run has no bar: failed, or fewer steps than the warm-up (%1)</numerusform>
            <numerusform>%n runs have no bar: failed, or fewer steps than the warm-up (%1)</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockstep::ui::DrawerBar</name>
    <message numerus="yes">
        <source>Log (%n warning(s))</source>
        <translation>
            <numerusform>Log (%n warning)</numerusform>
            <numerusform>Log (%n warnings)</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Queue (%n experiment(s))</source>
        <translation>
            <numerusform>Queue (%n experiment)</numerusform>
            <numerusform>Queue (%n experiments)</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockstep::ui::Notices</name>
    <message numerus="yes">
        <source>%n other experiment(s) wait in the queue.</source>
        <translation>
            <numerusform>%n other experiment waits in the queue.</numerusform>
            <numerusform>%n other experiments wait in the queue.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 is in the queue, behind %n experiment(s).</source>
        <translation>
            <numerusform>%1 is in the queue, behind %n experiment.</numerusform>
            <numerusform>%1 is in the queue, behind %n experiments.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockstep::ui::RingPanel</name>
    <message numerus="yes">
        <source>%n recorded step(s)</source>
        <translation>
            <numerusform>%n recorded step</numerusform>
            <numerusform>%n recorded steps</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockstep::ui::RunCost</name>
    <message numerus="yes">
        <source>%n run(s)</source>
        <translation>
            <numerusform>%n run</numerusform>
            <numerusform>%n runs</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockstep::ui::RunGroupsModel</name>
    <message numerus="yes">
        <source>%1 of %n runs count: finished ones, each seed once, none changed by hand.</source>
        <translation>
            <numerusform>%1 of %n run counts: finished ones, each seed once, none changed by hand.</numerusform>
            <numerusform>%1 of %n runs count: finished ones, each seed once, none changed by hand.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockstep::ui::RunsActions</name>
    <message numerus="yes">
        <source>Tag for %n runs</source>
        <translation>
            <numerusform>Tag for %n run</numerusform>
            <numerusform>Tag for %n runs</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockstep::ui::RunsPage</name>
    <message numerus="yes">
        <source>%n runs have been deleted.</source>
        <translation>
            <numerusform>%n run has been deleted.</numerusform>
            <numerusform>%n runs have been deleted.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n runs</source>
        <translation>
            <numerusform>%n run</numerusform>
            <numerusform>%n runs</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 of %n runs</source>
        <translation>
            <numerusform>%1 of %n run</numerusform>
            <numerusform>%1 of %n runs</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>; %n of them kept</source>
        <translation>
            <numerusform>; %n of them kept</numerusform>
            <numerusform>; %n of them kept</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockstep::ui::TimelineView</name>
    <message numerus="yes">
        <source>%n shorter one(s) in this pixel</source>
        <translation>
            <numerusform>%n shorter one in this pixel</numerusform>
            <numerusform>%n shorter ones in this pixel</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockstep::ui::VariantsDialog</name>
    <message numerus="yes">
        <source>%n variant(s)</source>
        <translation>
            <numerusform>%n variant</numerusform>
            <numerusform>%n variants</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>lockstep::ui::ViewMenu</name>
    <message numerus="yes">
        <source>%n runs of the view %1 are not in the store.</source>
        <translation>
            <numerusform>%n run of the view %1 is not in the store.</numerusform>
            <numerusform>%n runs of the view %1 are not in the store.</numerusform>
        </translation>
    </message>
</context>
</TS>
