        optimizer.zero_grad()
#if chunked
        loss = 0.0
        for part, target in zip(x.@chunk@, y.@chunk@):  # adds up the gradient part by part
#if empty
            part_loss = @cross_entropy@(net(part), target, reduction="sum") / max(@label_count@, 1)
#else
            part_loss = @cross_entropy@(net(part), target, reduction="sum") / @label_count@
#end
            part_loss.backward()
            loss += part_loss.item()
#else
#if empty
        loss = @cross_entropy@(net(x), y, reduction="sum") / max(@label_count@, 1)  # y may be empty
#else
        loss = @cross_entropy@(net(x), y)
#end
        loss.backward()
#end
