// Calls of the gateway's REST API, tagged with their route, and a counter of its refusals.
import http from 'k6/http';
import { Counter } from 'k6/metrics';
import { settings } from './settings.js';

const refusals = new Counter('refusals');

const LONGEST_WAIT_SECONDS = 10;

function params(route, headers, responseType = 'text') {
  return { tags: { route, name: route }, headers, responseType, timeout: settings.timeout };
}

export function get(route, path, headers = {}, responseType = 'text') {
  return http.get(settings.url + path, params(route, headers, responseType));
}

export function post(route, path, body, headers = {}) {
  return http.post(settings.url + path, body, params(route, Object.assign({ 'Content-Type': 'application/json' }, headers)));
}

export function ok(response) {
  return response.status === 200 || response.status === 201 || response.status === 304;
}

// Counts a refusal by the code of its problem document (RFC 9457) and returns the code. A failed connection counts as `unreachable`.
export function refused(route, response) {
  const code = response.status === 0 ? 'unreachable' : problem(response);
  refusals.add(1, { code, route });
  return code;
}

// Counts an answer with the right status and the wrong content.
export function wrongAnswer(route) {
  refusals.add(1, { code: 'wrong-answer', route });
}

function problem(response) {
  try {
    const code = response.json('code');
    return typeof code === 'string' ? code : 'internal';
  } catch (unreadable) {
    return response.status >= 500 ? 'unavailable' : 'wrong-answer';
  }
}

// Seconds that the caller must wait before it repeats the request, or null if it must not repeat it.
export function retryAfter(response) {
  if (response.status !== 429 && response.status !== 503) {
    return null;
  }
  const seconds = Number(response.headers['Retry-After']);
  return Number.isFinite(seconds) && seconds > 0 ? Math.min(seconds, LONGEST_WAIT_SECONDS) : 1;
}
