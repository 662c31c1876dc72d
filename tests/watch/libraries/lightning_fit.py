import logging
import os
import warnings

import torch

warnings.filterwarnings("ignore")
logging.getLogger("lightning.pytorch").setLevel(logging.ERROR)
import lightning


class Regression(lightning.LightningModule):
    def __init__(self):
        super().__init__()
        self.net = torch.nn.Sequential(torch.nn.Linear(8, 16), torch.nn.ReLU(), torch.nn.Linear(16, 1))

    def training_step(self, batch, index):
        x, y = batch
        loss = torch.nn.functional.mse_loss(self.net(x), y)
        self.log("train_loss", loss)
        print(f"RANK {self.global_rank} STEP {self.global_step + 1} LOSS {loss.item():.9g}\n", end="", flush=True)
        return loss

    def validation_step(self, batch, index):
        x, y = batch
        self.log("val_loss", torch.nn.functional.mse_loss(self.net(x), y), sync_dist=True)

    def configure_optimizers(self):
        return torch.optim.Adam(self.parameters(), lr=1e-2)


if __name__ == "__main__":
    lightning.seed_everything(0, verbose=False)
    x = torch.randn(128, 8)
    dataset = torch.utils.data.TensorDataset(x, x.sum(1, keepdim=True))
    model = Regression()
    trainer = lightning.Trainer(max_epochs=2, accelerator="cpu", devices=int(os.environ.get("RANKS", 1)),
                                strategy="ddp", logger=False, enable_checkpointing=False, enable_progress_bar=False,
                                enable_model_summary=False, log_every_n_steps=1)
    trainer.fit(model, torch.utils.data.DataLoader(dataset, batch_size=8, shuffle=True),
                torch.utils.data.DataLoader(dataset, batch_size=32))
    if "SAVE" in os.environ:
        torch.save(model.net.state_dict(), f"{os.environ['SAVE']}.{trainer.global_rank}")
