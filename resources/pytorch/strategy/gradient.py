        optimizer.zero_grad()
#if chunked
        loss = 0.0
        for part, target in zip(x.split(@chunk@), y.split(@chunk@)):  # adds up the gradient part by part
#if empty
            part_loss = cross_entropy(net(part), target, reduction="sum") / max(len(y), 1)
#else
            part_loss = cross_entropy(net(part), target, reduction="sum") / len(y)
#end
            part_loss.backward()
            loss += part_loss.item()
#else
#if empty
        loss = cross_entropy(net(x), y, reduction="sum") / max(len(y), 1)  # a rank may have no samples left
#else
        loss = cross_entropy(net(x), y)
#end
        loss.backward()
#end
