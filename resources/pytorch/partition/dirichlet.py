    """Divides each label among the ranks in proportions drawn from a Dirichlet distribution."""
    proportions = torch.distributions.Dirichlet(torch.full((WORLD,), ALPHA)).sample((@classes@,))  # of each label
    rank_of = torch.multinomial(proportions[labels], 1).flatten()
    return [(rank_of == rank).nonzero().flatten() for rank in range(WORLD)]
