def start(rank, port):
    os.environ.update(RANK=str(rank), WORLD_SIZE=str(WORLD), MASTER_ADDR="127.0.0.1", MASTER_PORT=str(port))
    main()


if __name__ == "__main__":
    if "RANK" in os.environ:  # under torchrun
        main()
    else:
        torch.multiprocessing.spawn(start, (20000 + os.getpid() % 10000,), nprocs=WORLD)
