import { RETENTION_SECONDS } from './schemas/webhook-delivery.record';
import { type WebhookRecord, type WebhookStats } from './schemas/webhook.record';

/** The deliveries of a webhook by result, and when the last one was accepted. */
export type StoredStats = WebhookStats;

/** A statistic that contradicts the log. */
export interface StatsDifference {
  readonly figure: keyof WebhookStats;
  readonly is: number | string | null;
  /** The value from the log; for a webhook older than the log, the minimum. */
  readonly shouldBe: number | string | null;
}

/** Whether the log is complete: the webhook is younger than the retention time. */
export function isWholeLog({ createdAt }: Pick<WebhookRecord, 'createdAt'>, now: Date): boolean {
  return now.getTime() - createdAt.getTime() < RETENTION_SECONDS * 1000;
}

/**
 * Returns the statistics that contradict the log. A complete log gives exact values, an incomplete one a minimum. The
 * last acceptance is always a minimum: a delivery can be accepted more than once.
 */
export function getStatsDifferences(stats: WebhookStats, logged: StoredStats, whole: boolean): StatsDifference[] {
  const wrong = (is: number, shouldBe: number): boolean => (whole ? is !== shouldBe : is < shouldBe);
  const differences: StatsDifference[] = (['totalDelivered', 'totalFailed'] as const)
    .filter((figure) => wrong(stats[figure], logged[figure]))
    .map((figure) => ({ figure, is: stats[figure], shouldBe: logged[figure] }));
  const [is, atLeast] = [stats.lastDeliveredAt, logged.lastDeliveredAt];
  if (atLeast !== null && (is === null || is < atLeast)) {
    const values = { is: is?.toISOString() ?? null, shouldBe: atLeast.toISOString() };
    differences.push({ figure: 'lastDeliveredAt', ...values });
  }
  return differences;
}
