/**
 * Runs the local server of a CRM (libs/adapters/crm/testing) in a separate process, with PEOPLE people. GET / returns the number of requests.
 * Test helpers are not built, so they are compiled here.
 */
import { createServer } from 'node:http';
import { mkdirSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { transformFileSync } from '@swc/core';

const { VENDOR = '', PEOPLE = '0', FIELD = '', PORT = '0' } = process.env;
const NAMES: Readonly<Record<string, string>> = { hubspot: 'HubSpot' };

interface VendorServer {
  readonly baseUrl: string;
  readonly count: number;
  readonly store: { fill(count: number, fieldsOf: (n: number) => object): void; passes(ms: number): void };
  listen(): Promise<this>;
}

const cache = join(import.meta.dirname, '..', '..', 'node_modules', '.cache', 'bench');
mkdirSync(cache, { recursive: true });
const compiled = mkdtempSync(join(cache, 'crm-'));
const testing = join(import.meta.dirname, '..', '..', 'libs', 'adapters', 'crm', 'testing');
for (const file of readdirSync(testing).filter((name) => /^(?!fake|index).*(?<!\.spec)\.ts$/.test(name))) {
  const options = {
    jsc: { parser: { syntax: 'typescript' }, target: 'es2023' },
    module: { type: 'commonjs' },
  } as const;
  const { code } = transformFileSync(join(testing, file), { ...options, swcrc: false });
  writeFileSync(join(compiled, file.replace(/\.ts$/, '.js')), code);
}
writeFileSync(join(compiled, 'package.json'), '{"type":"commonjs"}');

const exported = createRequire(import.meta.url)(join(compiled, `${VENDOR}-server.js`)) as Record<
  string,
  new () => VendorServer
>;
const name = `${NAMES[VENDOR] ?? VENDOR.charAt(0).toUpperCase() + VENDOR.slice(1)}Server`;
const Vendor = exported[name];
if (!Vendor) throw new Error(`There is no ${name}`);
const vendor = await new Vendor().listen();
vendor.store.fill(Number(PEOPLE), (n) => ({ [FIELD]: `Person ${n}` }));
vendor.store.passes(3_600_000);

createServer((_request, response) => {
  response.end(JSON.stringify({ baseUrl: vendor.baseUrl, count: vendor.count }));
}).listen(Number(PORT), '127.0.0.1');
process.once('SIGTERM', () => process.exit(0));
