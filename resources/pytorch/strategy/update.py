#if clip
        nn.utils.clip_grad_norm_(net.parameters(), @clip@)
#end
#if scheduled
        for group in optimizer.param_groups:
            group["lr"] = learning_rate(step)
#end
        optimizer.step()
