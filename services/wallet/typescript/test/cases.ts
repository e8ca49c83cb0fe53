import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** A value of a vector: texts, lists of texts, or objects of them. */
export type Value = string | number | boolean | readonly Value[] | { readonly [name: string]: Value };

export interface Case {
  readonly name: string;
  readonly op: string;
  readonly in: { readonly [name: string]: Value };
  readonly out?: Value;
  readonly error?: string;
}

export interface File {
  readonly name: string;
  readonly cases: readonly Case[];
}

const FOLDER = fileURLToPath(new URL('../../../../../prover-native/vectors/', import.meta.url));

/** Every vector file, in the order of their names. */
export function vectorFiles(): File[] {
  const names = readdirSync(FOLDER).filter((name) => name.endsWith('.json')).sort();
  return names.map((name) => JSON.parse(readFileSync(FOLDER + name, 'utf8')) as File);
}

/** The inputs of a case, by name and kind. */
export class Inputs {
  readonly #in: Case['in'];

  constructor(inputs: Case['in']) {
    this.#in = inputs;
  }

  has(name: string): boolean {
    return this.#in[name] !== undefined;
  }

  value(name: string): Value {
    const value = this.#in[name];
    if (value === undefined) throw new Error(`the vector has no input ${name}`);
    return value;
  }

  text(name: string): string {
    const value = this.value(name);
    if (typeof value !== 'string') throw new Error(`the input ${name} is not a text`);
    return value;
  }

  texts(name: string): string[] {
    const value = this.value(name);
    if (!Array.isArray(value) || !value.every((v) => typeof v === 'string')) throw new Error(`the input ${name} is not a list of texts`);
    return value as string[];
  }

  bytes(name: string): Uint8Array {
    return Uint8Array.from(Buffer.from(this.text(name), 'hex'));
  }

  /** A number, which vectors write in decimal digits. */
  integer(name: string): bigint {
    return BigInt(this.text(name));
  }

  number(name: string): number {
    return Number(this.integer(name));
  }
}
