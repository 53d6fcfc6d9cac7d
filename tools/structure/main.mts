import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { measure, report } from './structure.mts';

const root = join(fileURLToPath(import.meta.url), '../../..');
const only = process.argv.slice(2);
const result = measure(root);
console.log(report(result, only).join('\n'));
process.exitCode = result.breaches.length > 0 ? 1 : 0;
