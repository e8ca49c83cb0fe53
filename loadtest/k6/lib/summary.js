// The report of a run in the same form as Gatling's (docs/how-to/load-test.md), and k6's own data in a second file.
import { CODES, ROUTES, current, planned } from './shape.js';
import { settings } from './settings.js';

const TRENDS = { count: 'count', avgMillis: 'avg', p50Millis: 'p(50)', p95Millis: 'p(95)', p99Millis: 'p(99)', p999Millis: 'p(99.9)', maxMillis: 'max' };

export function handleSummary(data) {
  const of = current();
  const report = {
    tool: 'k6',
    scenario: of.name,
    ratePerSecond: of.rate,
    plannedPayments: Math.round(planned(of)),
    phases: of.phases.map((phase) => phaseOf(data, of, phase)),
    routes: routes(data, ''),
    refusals: codes(data, ''),
    retries: count(data, 'retries'),
    dropped: count(data, 'dropped_iterations'),
    failedLimits: failed(data),
  };
  report.ok = report.failedLimits.length === 0;
  return {
    [settings.summary]: `${JSON.stringify(report, null, 2)}\n`,
    [settings.summary.replace(/(\.json)?$/, '-raw.json')]: `${JSON.stringify({ metrics: data.metrics, state: data.state }, null, 1)}\n`,
    stdout: shown(report),
  };
}

function phaseOf(data, of, phase) {
  const tag = `phase:${phase.name}`;
  const share = values(data, `payment_failed{${tag}}`);
  const begun = share ? share.passes + share.fails : 0;
  return {
    name: phase.name,
    seconds: phase.seconds,
    offeredPerSecond: (of.rate * (phase.from + phase.to)) / 2,
    begun,
    signed: share ? share.fails : 0,
    payment: trend(data, `payment_time{${tag}}`),
    routes: routes(data, `,${tag}`),
    refusals: codes(data, `,${tag}`),
  };
}

function routes(data, tag) {
  const all = {};
  for (const route of ROUTES) {
    const figures = trend(data, `http_req_duration{route:${route}${tag}}`);
    if (figures !== null && figures.count > 0) {
      all[route] = figures;
    }
  }
  return all;
}

function codes(data, tag) {
  const all = {};
  for (const code of CODES) {
    const number = count(data, `refusals{code:${code}${tag}}`);
    if (number > 0) {
      all[code] = number;
    }
  }
  return all;
}

function failed(data) {
  const all = [];
  for (const name of Object.keys(data.metrics)) {
    const limits = data.metrics[name].thresholds || {};
    for (const limit of Object.keys(limits)) {
      if (!limits[limit].ok) {
        all.push(`${name} ${limit}`);
      }
    }
  }
  return all;
}

function values(data, name) {
  return data.metrics[name] === undefined ? null : data.metrics[name].values;
}

function count(data, name) {
  const found = values(data, name);
  return found === null ? 0 : found.count;
}

function trend(data, name) {
  const found = values(data, name);
  if (found === null || !found.count) {
    return null;
  }
  const figures = {};
  for (const key of Object.keys(TRENDS)) {
    figures[key] = Math.round(found[TRENDS[key]] * 1000) / 1000;
  }
  return figures;
}

function shown(report) {
  const rows = [`\n${report.scenario}: ${report.ok ? 'all limits held' : 'LIMITS BROKEN'}`];
  for (const route of Object.keys(report.routes)) {
    const f = report.routes[route];
    rows.push(
      `  ${route.padEnd(14)} ${String(f.count).padStart(8)}   p50 ${cell(f.p50Millis)}   p95 ${cell(f.p95Millis)}   p99 ${cell(f.p99Millis)} ms`,
    );
  }
  for (const code of Object.keys(report.refusals)) {
    rows.push(`  refused: ${code} ${report.refusals[code]}`);
  }
  report.failedLimits.forEach((limit) => rows.push(`  broken: ${limit}`));
  return `${rows.join('\n')}\n`;
}

function cell(value) {
  return value.toFixed(1).padStart(9);
}
