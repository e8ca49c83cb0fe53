// Converts a scenario of scenarios.json into k6 options. Arrivals follow an open model, so that a slow platform does not reduce the load.
import { settings } from './settings.js';

export const plan = JSON.parse(open('../scenarios.json'));

export const ROUTES = [
  'info', 'keys', 'policy', 'checkpoint', 'list', 'submit', 'state', 'certificate', 'mailbox-post', 'mailbox-read',
];
export const CODES = plan.neverAllowed.concat(plan.mayHappen);

const JOURNEYS = ['pay', 'look', 'read'];
const GRACE_SECONDS = 60;

let chosen = null;

// The scenario of this run: {name, rate, phases, limits}.
export function current() {
  return chosen;
}

export function scenario(name) {
  const shape = plan.scenarios[name];
  const phases = stretched(shape.phases, settings.seconds);
  chosen = { name, rate: settings.rate || shape.rate, phases, limits: shape.limits };
  return {
    scenarios: executors(chosen),
    thresholds: thresholds(chosen),
    summaryTrendStats: ['count', 'avg', 'p(50)', 'p(95)', 'p(99)', 'p(99.9)', 'max'],
    setupTimeout: '60s',
    userAgent: 'solidus-loadtest',
    discardResponseBodies: false,
    noCookiesReset: true,
    insecureSkipTLSVerify: false,
  };
}

// The number of payments that start in all phases, or in the given ones.
export function planned(of, names = null) {
  return of.phases
    .filter((phase) => names === null || names.includes(phase.name))
    .reduce((sum, phase) => sum + (of.rate * phase.seconds * (phase.from + phase.to)) / 2, 0);
}

function stretched(phases, seconds) {
  if (!seconds) {
    return phases;
  }
  const factor = seconds / phases.reduce((sum, phase) => sum + phase.seconds, 0);
  return phases.map((phase) => Object.assign({}, phase, { seconds: Math.max(1, Math.round(phase.seconds * factor)) }));
}

function executors(of) {
  const all = {};
  let start = 0;
  for (const phase of of.phases) {
    for (const journey of JOURNEYS) {
      all[executorName(journey, phase)] = executor(of, phase, journey, start);
    }
    start += phase.seconds;
  }
  return all;
}

function executorName(journey, phase) {
  return `${journey}_${phase.name.replace('-', '_')}`;
}

// The time unit is a minute, so that rates below one per second are possible.
function executor(of, phase, journey, start) {
  const perMinute = (factor) => Math.max(1, Math.round(60 * of.rate * factor * plan.weights[journey]));
  const peak = of.rate * Math.max(phase.from, phase.to) * plan.weights[journey];
  return {
    executor: 'ramping-arrival-rate',
    exec: journey,
    startTime: `${start}s`,
    startRate: perMinute(phase.from),
    timeUnit: '1m',
    stages: [{ target: perMinute(phase.to), duration: `${phase.seconds}s` }],
    // enough VUs for five seconds, because k6 drops an arrival without a free VU even while it starts another one
    preAllocatedVUs: Math.min(settings.maxVus, Math.max(10, Math.ceil(peak * 5))),
    maxVUs: Math.min(settings.maxVus, Math.max(20, Math.ceil(peak * 40))),
    gracefulStop: `${GRACE_SECONDS}s`,
    tags: { phase: phase.name, journey },
  };
}

function refusalLimit(of, phase) {
  return of.limits.phases.includes(phase.name) ? `count<=${Math.floor(of.limits.refusedShare * planned(of, [phase.name]))}` : 'count>=0';
}

// k6 keeps the figures of a tag value only if a threshold names it. Thresholds that always hold exist for that reason.
function thresholds(of) {
  const all = { iterations: ['count>0'] };
  for (const route of ROUTES) {
    all[`http_req_duration{route:${route}}`] = ['max>=0'];
    for (const phase of of.phases) {
      const limit = of.limits.phases.includes(phase.name) ? of.limits.routes[route] : undefined;
      all[`http_req_duration{route:${route},phase:${phase.name}}`] =
        limit === undefined ? ['max>=0'] : [`p(95)<${limit.p95}`, `p(99)<${limit.p99}`];
    }
  }
  for (const phase of of.phases) {
    all[`payment_failed{phase:${phase.name}}`] =
      of.limits.phases.includes(phase.name) ? [`rate<=${of.limits.failedShare}`] : ['rate>=0'];
    all[`payment_time{phase:${phase.name}}`] = ['max>=0'];
    for (const journey of JOURNEYS) {
      // k6 adds only its own tags to these
      all[`dropped_iterations{scenario:${executorName(journey, phase)}}`] = [
        of.limits.phases.includes(phase.name) ? 'count==0' : 'count>=0',
      ];
    }
    for (const code of CODES) {
      all[`refusals{code:${code},phase:${phase.name}}`] = [refusalLimit(of, phase)];
    }
  }
  for (const code of CODES) {
    all[`refusals{code:${code}}`] = [plan.neverAllowed.includes(code) ? 'count==0' : 'count>=0'];
  }
  return all;
}
