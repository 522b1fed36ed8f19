"""Writes through .data, without no_grad, with index arithmetic on the untransposed weights and one line a parameter."""

from exercises.gpt import GPT


def load_gpt2(model: GPT, state_dict):
    C = model.wpe.weight.size(1)

    def take(name):
        return state_dict[name]

    model.wte.weight.data.copy_(take("transformer.wte.weight"))
    model.wpe.weight.data.copy_(take("transformer.wpe.weight"))
    model.lm_head.weight.data.copy_(take("transformer.wte.weight"))
    for n in range(len(model.blocks)):
        b = model.blocks[n]
        p = "transformer.h." + str(n)
        b.norm_1.weight.data[:] = take(p + ".ln_1.weight")
        b.norm_1.bias.data[:] = take(p + ".ln_1.bias")
        b.norm_2.weight.data[:] = take(p + ".ln_2.weight")
        b.norm_2.bias.data[:] = take(p + ".ln_2.bias")
        w = take(p + ".attn.c_attn.weight")
        a = take(p + ".attn.c_attn.bias")
        b.attention.wq.weight.data.copy_(w[:, 0:C].T)
        b.attention.wk.weight.data.copy_(w[:, C : 2 * C].T)
        b.attention.wv.weight.data.copy_(w[:, 2 * C : 3 * C].T)
        b.attention.wq.bias.data.copy_(a[0:C])
        b.attention.wk.bias.data.copy_(a[C : 2 * C])
        b.attention.wv.bias.data.copy_(a[2 * C : 3 * C])
        b.attention.wo.weight.data.copy_(take(p + ".attn.c_proj.weight").T)
        b.attention.wo.bias.data.copy_(take(p + ".attn.c_proj.bias"))
        b.mlp.fc1.weight.data.copy_(take(p + ".mlp.c_fc.weight").T)
        b.mlp.fc1.bias.data.copy_(take(p + ".mlp.c_fc.bias"))
        b.mlp.fc2.weight.data.copy_(take(p + ".mlp.c_proj.weight").T)
        b.mlp.fc2.bias.data.copy_(take(p + ".mlp.c_proj.bias"))
    model.norm.weight.data.copy_(take("transformer.ln_f.weight"))
    model.norm.bias.data.copy_(take("transformer.ln_f.bias"))
