import { type EnrichmentRow, type EnrichmentTable, type EnrichmentToolPort } from '../port/enrichment-tool.port';
import { EnrichmentToolError, type EnrichmentToolReason } from '../port/enrichment-tool.errors';

/** A tool with a table, and what its other side is made to do. */
export interface ToolTestEnvironment {
  readonly tool: EnrichmentToolPort;
  readonly table: EnrichmentTable;
  /** The next row is refused so. */
  fails(reason: EnrichmentToolReason, retryAfterMs?: number): void;
  /** The next row gets no answer. */
  staysSilent(): void;
  /** What is in the table. */
  rows(): EnrichmentRow[];
  close(): Promise<void>;
}

const ROW: EnrichmentRow = {
  requestId: '1',
  email: 'ada@example.com',
  firstName: 'Zoë “Ada” 你好 \u{1f600}\n',
  empty: '',
};

const FAILURES: readonly (readonly [EnrichmentToolReason, string])[] = [
  ['rate_limited', 'temporary'],
  ['server', 'temporary'],
  ['credentials', 'needs-human'],
  ['no_table', 'needs-human'],
  ['quota', 'needs-human'],
  ['rejected', 'permanent'],
];

/** What every enrichment tool promises: called once for each of them. */
export function describeEnrichmentTool(name: string, open: () => Promise<ToolTestEnvironment>): void {
  describe(`${name} keeps the port's promises:`, () => {
    let environment: ToolTestEnvironment;
    beforeEach(async () => {
      environment = await open();
    });
    afterEach(() => environment.close());

    const add = (row: EnrichmentRow = ROW, signal?: AbortSignal) =>
      environment.tool.addRow(environment.table, row, signal);
    const failure = (row?: EnrichmentRow, signal?: AbortSignal) =>
      add(row, signal).then(
        () => null,
        (error: unknown) => error,
      );

    it('a row arrives as it is, and a second one beside it', async () => {
      await add();
      await add({ requestId: '2' });
      expect(environment.rows()).toEqual([ROW, { requestId: '2' }]);
    });

    it('the same row may be added again: the table keeps both, each with its id', async () => {
      await add();
      await add();
      expect(environment.rows()).toEqual([ROW, ROW]);
    });

    it.each(FAILURES)('tells of %s, which is %s, and adds nothing then', async (reason, kind) => {
      environment.fails(reason);
      const error = await failure();
      expect(error).toBeInstanceOf(EnrichmentToolError);
      expect(error).toMatchObject({ reason, failure: kind, type: { failure: kind } });
      expect(environment.rows()).toEqual([]);
      await add();
      expect(environment.rows()).toEqual([ROW]);
    });

    it('says when it may be tried again', async () => {
      environment.fails('rate_limited', 7_000);
      expect(await failure()).toMatchObject({ reason: 'rate_limited', retryAfterMs: 7_000 });
      environment.fails('server');
      expect(await failure()).toMatchObject({ reason: 'server', retryAfterMs: null });
    });

    it('ends with the reason of the signal, at once when that was given before', async () => {
      environment.staysSilent();
      const patience = new AbortController();
      const adding = failure(ROW, patience.signal);
      const reason = new Error('enough');
      patience.abort(reason);
      expect(await adding).toBe(reason);
      expect(await failure(ROW, patience.signal)).toBe(reason);
    });
  });
}
