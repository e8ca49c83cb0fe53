import { sha256 } from '@noble/hashes/sha2.js';
import { equal, type Bytes } from './bytes.js';
import type { Committee } from './manifest.js';
import type { Network } from './network.js';
import { countersigned, listDigest, readText, type TextKind, type TextOf } from './notes.js';
import { demand, refusedAs } from './refusal.js';
import { SanctionTree } from './sanctions.js';
import { utf8 } from './text.js';

/** Policy, checkpoint and the tree of its list, as f + 1 authorities countersigned them (F-27). */
export interface Rules {
  readonly policy: TextOf<'policy'>;
  readonly checkpoint: TextOf<'sanction-checkpoint'>;
  readonly tree: SanctionTree;
  readonly marks: RuleMarks;
}

/** A text of rules that was used: an older one, or another one of its version, is refused. */
export interface RuleMark {
  readonly version: bigint;
  /** SHA-256 of the text, 32 bytes. */
  readonly digest: Bytes;
}

export interface RuleMarks {
  readonly policy: RuleMark;
  readonly checkpoint: RuleMark;
}

/** Where rules come from; nothing that it says is believed. */
export interface RuleSource {
  policyNote(): Promise<string>;
  checkpointNote(): Promise<string>;
  sanctionList(version: bigint): Promise<Bytes>;
}

const KEY_BYTES = 20;

/** Fetches and verifies rules, and keeps the tree of the last checkpoint. */
export class RuleBook {
  readonly #network: Network;
  readonly #committee: Committee;
  readonly #source: RuleSource;
  #tree: { readonly digest: Bytes; readonly tree: SanctionTree } | undefined;

  constructor(network: Network, committee: Committee, source: RuleSource) {
    this.#network = network;
    this.#committee = committee;
    this.#source = source;
  }

  /** The rules in force, which are no older than those seen. */
  async newest(seen: RuleMarks | undefined): Promise<Rules> {
    const [policy, policyMark] = this.#read('policy', await this.#source.policyNote(), seen?.policy);
    const [checkpoint, checkpointMark] = this.#read('sanction-checkpoint', await this.#source.checkpointNote(), seen?.checkpoint);
    const tree = await this.#treeOf(checkpoint);
    return { policy, checkpoint, tree, marks: { policy: policyMark, checkpoint: checkpointMark } };
  }

  #read<K extends TextKind & ('policy' | 'sanction-checkpoint')>(kind: K, note: string, seen: RuleMark | undefined): [TextOf<K>, RuleMark] {
    const text = countersigned(note, this.#committee.noteKeys);
    const rule = refusedAs('rules-untrusted', () => readText(this.#network, kind, text));
    const mark = { version: (rule as { readonly version: bigint }).version, digest: sha256(utf8(text)) };
    const newer = seen === undefined || mark.version > seen.version;
    demand(newer || (mark.version === seen.version && equal(mark.digest, seen.digest)), 'rules-rolled-back', `an older or another ${kind}`);
    return [rule, mark];
  }

  async #treeOf(checkpoint: TextOf<'sanction-checkpoint'>): Promise<SanctionTree> {
    const digest = checkpoint['list-digest'];
    if (this.#tree !== undefined && equal(this.#tree.digest, digest)) return this.#checked(this.#tree.tree, checkpoint);
    const bytes = await this.#source.sanctionList(checkpoint.version);
    const tree = refusedAs('rules-untrusted', () => {
      demand(bytes.length % KEY_BYTES === 0, 'rules-untrusted', 'not a list');
      const keys = Array.from({ length: bytes.length / KEY_BYTES }, (_, i) => bytes.subarray(KEY_BYTES * i, KEY_BYTES * (i + 1)));
      demand(equal(listDigest(this.#network, keys), digest), 'rules-untrusted', 'the list has another digest than the checkpoint states');
      return new SanctionTree(this.#network, keys);
    });
    this.#checked(tree, checkpoint);
    this.#tree = { digest, tree };
    return tree;
  }

  #checked(tree: SanctionTree, checkpoint: TextOf<'sanction-checkpoint'>): SanctionTree {
    const same = tree.root === checkpoint.root && BigInt(tree.size) === checkpoint.size;
    demand(same, 'rules-untrusted', 'the list has another root or size than the checkpoint states');
    return tree;
  }
}
