def main():
    torch.set_num_threads(@threads@)
    torch.manual_seed(SEED)
    images, labels = load("train", SAMPLES)
    net = make_net()
#use optimizer/create
    for step, chosen in zip(range(1, STEPS + 1), batches()):
        x, y = images[chosen], labels[chosen]
#use strategy/gradient
#use strategy/update
        report(step, @loss_value@, len(y))
    print(json.dumps({"test_accuracy": accuracy(net)}), flush=True)
