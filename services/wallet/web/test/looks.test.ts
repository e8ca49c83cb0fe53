import { strict as assert } from 'node:assert';
import { describe, it } from 'node:test';
import { LOOK, Looks } from '../src/looks.js';

describe('a look for money that nobody asked for', () => {
  it('tells each reason once, until a look succeeds', () => {
    const looks = new Looks();
    assert.equal(looks.failed('mailbox-stale', false, 0), true);
    assert.equal(looks.failed('mailbox-stale', false, 0), false);
    assert.equal(looks.failed('gateway-unreachable', false, 0), false);
    assert.equal(looks.failed('mailbox-stale', false, 0), false);
    assert.equal(looks.failed('overloaded', false, 0), true);
    looks.succeeded();
    assert.equal(looks.failed('overloaded', false, 0), true);
  });

  it('tells an owner who asked, and not again what she was told', () => {
    const looks = new Looks();
    assert.equal(looks.failed('gateway-unreachable', true, 0), true);
    assert.equal(looks.failed('mailbox-stale', true, 0), true);
    assert.equal(looks.failed('mailbox-stale', true, 0), true);
    assert.equal(looks.failed('mailbox-stale', false, 0), false);
  });

  it('comes less often after failures, and soon again after a success', () => {
    const looks = new Looks();
    assert.equal(looks.due(0), true);
    const pauses = [1, 2, 3, 4, 5, 6].map(() => {
      looks.failed('overloaded', false, 0);
      const ticks = Array.from({ length: 20 }, (_, i) => i * LOOK);
      return ticks.find((now) => looks.due(now));
    });
    assert.deepEqual(pauses, [40_000, 80_000, 160_000, 300_000, 300_000, 300_000]);
    looks.succeeded();
    assert.equal(looks.due(0), true);
  });
});
