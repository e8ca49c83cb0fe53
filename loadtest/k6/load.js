// ./solidus load run load
import { scenario } from './lib/shape.js';

export { pay, look, read, setup } from './lib/journeys.js';
export { handleSummary } from './lib/summary.js';

export const options = scenario('load');
