/** The table for a workspace's rows. */
export interface EnrichmentTable {
  /** http or https. The URL alone allows adding rows, so it is as secret as the token. */
  readonly webhookUrl: string;
  /** The token that the table requires in a header; null without one. */
  readonly authToken: string | null;
}

/** One row, by the names of its columns. */
export type EnrichmentRow = Readonly<Record<string, string>>;

/** A tool that receives rows and later returns its results for each row by a request of its own. */
export abstract class EnrichmentToolPort {
  /**
   * Adds one row to a table, without retries. After a failure (`timeout`, `unreachable`) the row may be in the table: a retry has to
   * identify it by a column.
   * @throws EnrichmentToolError when the table did not confirm the row
   * @throws the signal's reason, when that aborted the call
   */
  abstract addRow(table: EnrichmentTable, row: EnrichmentRow, signal?: AbortSignal): Promise<void>;
}
