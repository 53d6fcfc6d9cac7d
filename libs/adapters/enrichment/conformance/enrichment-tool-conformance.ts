import { type EnrichmentRow, type EnrichmentTable, type EnrichmentToolPort } from '../port/enrichment-tool.port';
import { EnrichmentToolError, type EnrichmentToolReason } from '../port/enrichment-tool.errors';

/** A tool with a table, and its scripted server. */
export interface ToolTestEnvironment {
  readonly tool: EnrichmentToolPort;
  readonly table: EnrichmentTable;
  /** Scripts the refusal of the next row. */
  fails(reason: EnrichmentToolReason, retryAfterMs?: number): void;
  /** The next row gets no response. */
  staysSilent(): void;
  /** The rows of the table. */
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

/** The conformance suite of all enrichment tools; each driver calls it once. */
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

    it('adds rows unchanged', async () => {
      await add();
      await add({ requestId: '2' });
      expect(environment.rows()).toEqual([ROW, { requestId: '2' }]);
    });

    it('allows a repeated row: the table contains both, each with its id', async () => {
      await add();
      await add();
      expect(environment.rows()).toEqual([ROW, ROW]);
    });

    it.each(FAILURES)('reports %s, which is %s, and adds nothing', async (reason, kind) => {
      environment.fails(reason);
      const error = await failure();
      expect(error).toBeInstanceOf(EnrichmentToolError);
      expect(error).toMatchObject({ reason, failure: kind, type: { failure: kind } });
      expect(environment.rows()).toEqual([]);
      await add();
      expect(environment.rows()).toEqual([ROW]);
    });

    it('reports when a retry is allowed', async () => {
      environment.fails('rate_limited', 7_000);
      expect(await failure()).toMatchObject({ reason: 'rate_limited', retryAfterMs: 7_000 });
      environment.fails('server');
      expect(await failure()).toMatchObject({ reason: 'server', retryAfterMs: null });
    });

    it('ends with the reason of the signal, immediately when the signal is already aborted', async () => {
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
