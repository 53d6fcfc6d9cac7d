import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventually, writesGolden } from '@testing';
import { accuracySection, type Judged, getMark } from './testing/accuracy';
import { LABELLED_KINDS, type LabelledKind, type Truth } from './testing/labelled-kinds';
import { LabelledTestServers, STEP_MS } from './testing/labelled-test-servers';

/** `npm run generate` sets it to write the section instead of comparing it. */
const PAGE = join(__dirname, '../../../../docs/reference/verification-accuracy.md');
const BEGIN = '<!-- accuracy: written by accuracy.spec.ts -->';
const END = '<!-- /accuracy -->';

/** Attempts per address, as in a job that retries an address without an answer. */
const ROUNDS = 2;
/** Less than the cooldown of a refusing provider, so no request waits for its end. */
const PATIENCE_MS = 50_000;
/** The domain whose server lies: its replies look like true ones. */
const LIAR = 'lies.example';

describe('verification of a labelled set of addresses, over DNS and SMTP', () => {
  let servers: LabelledTestServers;
  const judged: Judged[] = [];

  beforeAll(async () => {
    servers = await LabelledTestServers.open(LABELLED_KINDS);
    for (const kind of LABELLED_KINDS) judged.push(...(await judge(kind)));
  });
  afterAll(() => servers.close());

  async function judge(kind: LabelledKind): Promise<Judged[]> {
    const labels = Object.entries(kind.truth);
    const progress = { isDone: false };
    const all = Promise.all(labels.map(([local, truth]) => resultOf(kind, local, truth))).finally(() => {
      progress.isDone = true;
    });
    // Time advances only here, so no reply of another server can be late.
    while (kind.silentAt !== undefined && !progress.isDone) {
      await eventually('its server is silent, or all results exist', () => progress.isDone || servers.isSilent(kind));
      servers.timer.advance(STEP_MS);
    }
    return all;
  }

  async function resultOf({ name, domain }: LabelledKind, local: string, truth: Truth): Promise<Judged> {
    for (let attempts = 0; ; attempts += 1) {
      const deadline = new Date(servers.timer.now() + PATIENCE_MS);
      const { result, retryAt } = await servers.verifier.verify(`${local}@${domain}`, { deadline, attempts });
      if (retryAt === null || attempts + 1 === ROUNDS) return { kind: name, truth, result };
    }
  }

  it('has enough addresses, of enough kinds', () => {
    expect(judged.length).toBeGreaterThanOrEqual(300);
    expect(new Set(judged.map(({ kind }) => kind)).size).toBeGreaterThanOrEqual(20);
  });

  it.each(LABELLED_KINDS.filter(({ domain }) => domain !== LIAR))('gives no wrong verdict for $domain', ({ name }) => {
    const wrong = judged.filter((one) => one.kind === name && getMark(one) === 'wrong');
    expect(wrong).toEqual([]);
  });

  it.each([
    'postfix.example',
    'gmail-like.example',
    'exchange.example',
    'old.example',
    'french.example',
    'full.example',
    'everything.example',
    'greylisting.example',
    'backup.example',
    'tls.example',
    'impatient.example',
    'null-mx.example',
    'nowhere.example',
    'no-host.example',
  ])('decides all addresses of %s', (domain) => {
    const name = LABELLED_KINDS.find((kind) => kind.domain === domain)?.name;
    const open = judged.filter((one) => one.kind === name && getMark(one) !== 'right');
    expect(open).toEqual([]);
  });

  it('sends few DNS queries per domain, for any number of addresses', () => {
    const perDomain = LABELLED_KINDS.map(
      ({ domain }) => servers.dns.queries.filter(({ name }) => name === domain || name.endsWith(`.${domain}`)).length,
    );
    expect(Math.max(...perDomain)).toBeLessThanOrEqual(5);
  });

  it('is as accurate as docs/reference/verification-accuracy.md says', () => {
    const text = readFileSync(PAGE, 'utf8');
    const [before = '', rest = ''] = text.split(BEGIN);
    const [, after = ''] = rest.split(END);
    const section = `${BEGIN}\n\n${accuracySection(judged)}\n\n${END}`;
    if (writesGolden()) writeFileSync(PAGE, `${before}${section}${after}`);
    expect(readFileSync(PAGE, 'utf8')).toContain(section);
  });
});
