"""A GAN as in the tutorial: the discriminator on real and generated samples, then the generator."""
import os

import torch
import torch.nn as nn

torch.manual_seed(999)
nz = 4
netG = nn.Sequential(nn.Linear(nz, 16), nn.ReLU(True), nn.Linear(16, 2))
netD = nn.Sequential(nn.Linear(2, 16), nn.LeakyReLU(0.2, inplace=True), nn.Linear(16, 1), nn.Sigmoid())
criterion = nn.BCELoss()
optimizerD = torch.optim.Adam(netD.parameters(), lr=2e-3, betas=(0.5, 0.999))
optimizerG = torch.optim.Adam(netG.parameters(), lr=2e-3, betas=(0.5, 0.999))
real_label, fake_label = 1.0, 0.0
dataset = torch.randn(96, 2) * 0.3 + 1
dataloader = torch.utils.data.DataLoader(torch.utils.data.TensorDataset(dataset), batch_size=16, shuffle=True)
num_epochs = 2
iters = 0
for epoch in range(num_epochs):
    for i, data in enumerate(dataloader, 0):
        netD.zero_grad()
        real = data[0]
        b_size = real.size(0)
        label = torch.full((b_size,), real_label)
        output = netD(real).view(-1)
        errD_real = criterion(output, label)
        errD_real.backward()
        D_x = output.mean().item()

        fake = netG(torch.randn(b_size, nz))
        label.fill_(fake_label)
        output = netD(fake.detach()).view(-1)
        errD_fake = criterion(output, label)
        errD_fake.backward()
        errD = errD_real + errD_fake
        optimizerD.step()

        netG.zero_grad()
        label.fill_(real_label)
        output = netD(fake).view(-1)
        errG = criterion(output, label)
        errG.backward()
        optimizerG.step()
        iters += 1
        print("[%d/%d][%d/%d]\tIter: %d\tLoss_D: %.9g\tLoss_G: %.9g\tD(x): %.4f"
              % (epoch, num_epochs, i, len(dataloader), iters, errD.item(), errG.item(), D_x))
if "SAVE" in os.environ:
    torch.save([netG.state_dict(), netD.state_dict()], os.environ["SAVE"])
