@torch.no_grad()
def evaluate(net, @inputs@, labels):
    """Accuracy on the test set, mean loss on the first @evaluated_samples@ samples of the training set."""
#if text
    def mean(value, windows, labels):  # over all bytes, some windows at a time
        parts = zip(windows.split(@at_once@), labels.split(@at_once@))
        return sum(value(net(x).double(), y).item() for x, y in parts) / labels.numel()

    first = slice(@evaluated_samples@)
    train_loss = mean(lambda scores, y: cross_entropy(scores, y, "sum"), windows[first], labels[first])
    accuracy = mean(lambda scores, y: (scores.argmax(-1) == y).sum(), *load("test", @test_samples@))
#else
    scores = torch.cat([net(x) for x in images[:@evaluated_samples@].split(64)]).double()
    train_loss = nn.functional.cross_entropy(scores, labels[:@evaluated_samples@]).item()
    images, labels = load("test", @test_samples@)
    accuracy = (torch.cat([net(x).argmax(1) for x in images.split(64)]) == labels).double().mean().item()
#end
#if raced
    lockstep.connect().evaluate(accuracy=accuracy, train_loss=train_loss)
#end
    return {"test_accuracy": accuracy, "train_loss": train_loss}
