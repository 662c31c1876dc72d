@torch.no_grad()
def evaluate(net, images, labels):
    """Accuracy on the test set, mean loss on the first @evaluated_samples@ samples of the training set."""
    scores = torch.cat([net(x) for x in images[:@evaluated_samples@].split(64)]).double()
    train_loss = nn.functional.cross_entropy(scores, labels[:@evaluated_samples@]).item()
    images, labels = load("test", @test_samples@)
    accuracy = (torch.cat([net(x).argmax(1) for x in images.split(64)]) == labels).double().mean().item()
#if raced
    lockstep.connect().evaluate(accuracy=accuracy, train_loss=train_loss)
#end
    return {"test_accuracy": accuracy, "train_loss": train_loss}
