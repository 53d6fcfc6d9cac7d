import { CONTRACT, type Endpoint, type NumberRule } from './contract';
import { type ContractRun, type Envelope, expectRefused } from './contract-run';
import { ShapeCheck, valuesAt } from './shape-check';

const NO_INTEGERS = ['abc', '1.5', '0x10', '1e2', '%205', '', '-1', '0'];
/** For a rule without an upper bound. */
const SOME_PAGE = 1_000;

/** Tests the parameters of a query and the pages of a list. */
export function queryRows(run: ContractRun, endpoint: Endpoint): void {
  const { answer, query } = endpoint;
  if (query?.limit) numberRows(run, endpoint, 'limit', query.limit);
  if (query?.page) numberRows(run, endpoint, 'page', query.page);
  if (answer.pagination) pageRows(run, endpoint, answer.pagination);

  if (query) {
    it('accepts no other query', async () => {
      expectRefused(await run.ask(endpoint, { query: 'sort=name' }), 'sort');
    });
  }

  if (query?.cursor) {
    it.each(['x', '%00', 'eyJpZCI6MX0'])('refuses the cursor %s, which it never gave', async (cursor) => {
      expectRefused(await run.ask(endpoint, { query: `cursor=${cursor}` }), 'cursor');
    });
  }

  for (const name of query?.search ?? []) {
    it(`finds a part of the ${name} in any case`, async () => {
      const [all] = run.envelopes(endpoint);
      const records = (all?.data ?? []) as Record<string, string>[];
      const wanted = records.find((record) => (record[name] ?? '').length > 3);
      const part = (wanted?.[name] ?? '').slice(1, -1).toUpperCase();
      const { data } = (await run.ask(endpoint, { query: `search=${encodeURIComponent(part)}` })).body as Envelope;
      expect(valuesAt({ data }, 'data[]._id')).toEqual([wanted?.['_id']]);
    });
  }

  if (endpoint.newestFirst) {
    it('lists the most recent first', () => {
      const times = valuesAt(run.envelopes(endpoint)[0], 'data[].createdAt').map(String);
      expect(times.length).toBeGreaterThan(1);
      expect(times).toEqual(times.toSorted().toReversed());
    });
  }
}

function numberRows(run: ContractRun, endpoint: Endpoint, name: 'limit' | 'page', rule: NumberRule): void {
  const { min, max } = rule;

  it(`${name} is ${rule.default} by default`, () => {
    expect(run.envelopes(endpoint)[0]?.pagination[name]).toBe(rule.default);
  });

  it.each([min, max ?? SOME_PAGE])(`${name} may be %d`, async (value) => {
    const { status, body } = await run.ask(endpoint, { query: `${name}=${value}` });
    expect([status, (body as Envelope).pagination[name]]).toEqual([200, value]);
  });

  it.each([...NO_INTEGERS, ...(max === undefined ? [] : [max + 1])])(`${name} must not be "%s"`, async (value) => {
    expectRefused(await run.ask(endpoint, { query: `${name}=${value}` }), name);
  });
}

function pageRows(run: ContractRun, endpoint: Endpoint, style: 'cursor' | 'page'): void {
  const check = new ShapeCheck(CONTRACT.pagination[style]);

  it.each(check.fields)('pagination.$path: $rule', (field) => {
    const paginations = run.envelopes(endpoint).map(({ pagination }) => pagination);
    expect(paginations).not.toEqual([]);
    expect(paginations.flatMap((pagination) => check.ofField(field, pagination))).toEqual([]);
    expect(paginations.flatMap((pagination) => check.strangers(pagination))).toEqual([]);
  });

  it('pages through all records, once each', async () => {
    const [all] = run.envelopes(endpoint);
    const pages = await listPages(run, endpoint);
    expect(pages.length).toBeGreaterThan(1);
    expect(pages.flatMap(({ data }) => data)).toEqual(all?.data);
    const total = pages.length;
    for (const [at, { pagination }] of pages.entries()) {
      expect(check.violations(pagination)).toEqual([]);
      const hasMore = at < total - 1;
      expect(pagination).toEqual(
        style === 'cursor'
          ? { limit: 1, total, hasMore, nextCursor: hasMore ? (expect.any(String) as string) : null }
          : { page: at + 1, limit: 1, total, totalPages: total },
      );
    }
  });
}

/** Every record once, one per page. */
async function listPages(run: ContractRun, endpoint: Endpoint): Promise<Envelope[]> {
  const pages: Envelope[] = [];
  for (let next: string | null = ''; next !== null;) {
    const page = (await run.ask(endpoint, { query: `limit=1${next}` })).body as Envelope;
    pages.push(page);
    const { nextCursor, totalPages = 0 } = page.pagination as { nextCursor?: string | null; totalPages?: number };
    if (nextCursor !== undefined) next = nextCursor === null ? null : `&cursor=${encodeURIComponent(nextCursor)}`;
    else next = pages.length < totalPages ? `&page=${pages.length + 1}` : null;
  }
  return pages;
}
