// Random choices that follow from the run's seed, the VU and the iteration, so that a run can be had again.
import exec from 'k6/execution';
import { settings } from './settings.js';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

// mulberry32
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

// FNV-1a
function hash(text) {
  let h = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) {
    h = Math.imul(h ^ text.charCodeAt(i), 0x01000193);
  }
  return h >>> 0;
}

// A generator of this iteration.
export function chance() {
  return generator(hash(`${settings.seed}/${exec.scenario.name}/${exec.scenario.iterationInTest}`));
}

// Base64url of 3/4 as many bytes.
export function text(next, characters) {
  const out = [];
  for (let i = 0; i < characters; i++) {
    out.push(ALPHABET[Math.floor(next() * 64)]);
  }
  return out.join('');
}
