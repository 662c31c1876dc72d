def learning_rate(step):
#if warmup
    if step <= WARMUP:  # rises to its full value
        return @lr_begin@ + (LR - @lr_begin@) * step / (WARMUP + 1)
#end
#if lr_step
    return LR * @lr_factor@ ** ((step - 1) // STEPS_PER_EPOCH // @lr_every@)
#else
#if lr_cosine
    return LR * 0.5 * (1 + math.cos(math.pi * min(1.0, (step - 1 - @warmup@) / @lr_left@)))
#else
    return LR
#end
#end
