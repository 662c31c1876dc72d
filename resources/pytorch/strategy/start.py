#if collectives
def main(rank, address):
    dist.init_process_group("gloo", address, rank=rank, world_size=WORLD)
    try:
        train(rank)
    finally:
        dist.destroy_process_group()  # ends its threads before Python ends


if __name__ == "__main__":
    if "RANK" in os.environ:  # under torchrun
        main(int(os.environ["RANK"]), "env://")
    else:
        torch.multiprocessing.spawn(main, (f"tcp://127.0.0.1:{20000 + os.getpid() % 10000}",), nprocs=WORLD)
#else
def start(rank, port):
    os.environ.update(RANK=str(rank), WORLD_SIZE=str(WORLD), MASTER_ADDR="127.0.0.1", MASTER_PORT=str(port))
    main()


if __name__ == "__main__":
    if "RANK" in os.environ:  # under torchrun
        main()
    else:
        torch.multiprocessing.spawn(start, (20000 + os.getpid() % 10000,), nprocs=WORLD)
#end
