"""What platforms hand out, archives and folders of every shape, as submissions: nothing lost, nobody mixed up."""
