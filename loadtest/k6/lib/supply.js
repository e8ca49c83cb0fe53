// Transfers to send, each once. They come from the feeder in small batches, because a pool may have millions and k6 would keep an opened
// file in memory twice. A line has the core, the lead serial number and the body at fixed positions, so no parsing is needed.
import http from 'k6/http';
import exec from 'k6/execution';
import { settings } from './settings.js';

const CORE = 64;
const LEAD = 43;
const BODY = CORE + LEAD + 2;

let lines = [];

export function nextTransfer() {
  if (lines.length === 0) {
    lines = fetched();
  }
  const line = lines.pop();
  return { core: line.substring(0, CORE), lead: line.substring(CORE + 1, BODY - 1), body: line.substring(BODY) };
}

function fetched() {
  const answer = http.get(`${settings.feed}/next?count=${settings.batch}`, { tags: { route: 'feed', name: 'feed' }, responseType: 'text' });
  if (answer.status !== 200 || answer.body.length <= BODY) {
    exec.test.abort(answer.status === 410 ? 'the pool of transfers is used up' : `the feeder answered ${answer.status}`);
  }
  return answer.body.split('\n').filter((line) => line.length > 0);
}
