// Random numbers that depend only on the seed of the run, the scenario and the iteration, so that a run can be repeated.
import exec from 'k6/execution';
import { settings } from './settings.js';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

// The generator mulberry32: numbers in [0, 1).
function generator(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

// The hash FNV-1a, 32 bits.
function hash(text) {
  let h = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) {
    h = Math.imul(h ^ text.charCodeAt(i), 0x01000193);
  }
  return h >>> 0;
}

// The generator of this iteration.
export function chance() {
  return generator(hash(`${settings.seed}/${exec.scenario.name}/${exec.scenario.iterationInTest}`));
}

// Random base64url text; its length in bytes is 3/4 of the characters.
export function text(next, characters) {
  const out = [];
  for (let i = 0; i < characters; i++) {
    out.push(ALPHABET[Math.floor(next() * 64)]);
  }
  return out.join('');
}
