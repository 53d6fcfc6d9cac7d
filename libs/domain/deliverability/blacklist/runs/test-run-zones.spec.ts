import { type SelfTestFinding } from '../lookups/zone-self-check';
import { getVerdict } from '../lookups/zone-check';
import { defaultZones } from '../zones/default-zones';
import { getZoneKey } from '../zones/zone';
import { TestRunZones } from './test-run-zones';

const zone = defaultZones.value.find((one) => one.zone === 'multi.uribl.com')!;
const works: SelfTestFinding = { outcome: 'works', detail: null };
const subject = { subject: 'acme.example', kind: 'domain' } as const;
const { signal } = new AbortController();

/** Queries a zone for so many subjects sequentially. */
async function run(answers: (at: number) => Parameters<typeof getVerdict>[1], times: number) {
  let asked = 0;
  const zones = new TestRunZones(new Map([[getZoneKey(zone), works]]), () =>
    Promise.resolve({ ...getVerdict(zone, answers((asked += 1))), reason: null }),
  );
  const results: string[] = [];
  for (let at = 0; at < times; at += 1) results.push((await zones.check(zone, subject, signal)).result);
  return { asked, results };
}

const no = { kind: 'nxdomain', ttl: 1 } as const;
const blocked = { kind: 'records', records: ['127.0.0.1'], ttl: 1 } as const;
const silent = { kind: 'timeout', message: 'no answer' } as const;
const odd = { kind: 'records', records: ['127.0.3.7'], ttl: 1 } as const;

describe('a zone of a run', () => {
  it.each([
    ['falls silent', silent],
    ['refuses, as one does that was asked too much', blocked],
  ])('that %s five times in a row is not queried again', async (_what, answer) => {
    const { asked, results } = await run(() => answer, 9);
    expect(asked).toBe(5);
    expect(results).toEqual(Array.from({ length: 9 }, () => 'unknown'));
  });

  it('is still queried when any answer arrives in between', async () => {
    expect((await run((at) => (at % 5 === 0 ? no : silent), 20)).asked).toBe(20);
    expect((await run(() => odd, 20)).asked).toBe(20);
  });
});
