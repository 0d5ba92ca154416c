"""Writes a small tokenizer to argv[1], as Hugging Face's cache has one: nothing is downloaded."""
import pathlib
import sys

from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers
from transformers import PreTrainedTokenizerFast

t = Tokenizer(models.BPE())
t.pre_tokenizer, t.decoder = pre_tokenizers.ByteLevel(add_prefix_space=False), decoders.ByteLevel()
t.train_from_iterator(
    ["the harbour is quiet and ships come in with the tide. "] * 50,
    trainers.BpeTrainer(vocab_size=500, special_tokens=["<s>", "</s>"], initial_alphabet=pre_tokenizers.ByteLevel.alphabet()),
)
f = PreTrainedTokenizerFast(tokenizer_object=t, bos_token="<s>", eos_token="</s>", pad_token="</s>")
f.chat_template = "{% for m in messages %}{{ m['role'] }}: {{ m['content'] }}\n{% endfor %}"
f.model_max_length = 4096
root, commit = pathlib.Path(sys.argv[1]) / "hub" / "models--toks--owl", "0" * 40
(root / "refs").mkdir(parents=True, exist_ok=True)
(root / "refs" / "main").write_text(commit)
f.save_pretrained(str(root / "snapshots" / commit))
