import { RETENTION_SECONDS } from './schemas/webhook-delivery.record';
import { type WebhookRecord, type WebhookStats } from './schemas/webhook.record';

/** What the log holds of a webhook: deliveries by how they are counted, and when the last one was accepted. */
export type StoredStats = WebhookStats;

/** A figure of a webhook that cannot be right. */
export interface StatsDifference {
  readonly figure: keyof WebhookStats;
  readonly is: number | string | null;
  /** What the log tells; of a webhook that is older than the log, the least that it can be. */
  readonly shouldBe: number | string | null;
}

/** Whether no delivery of the webhook can have left the log: it is younger than what is kept. */
export function isWhole({ createdAt }: Pick<WebhookRecord, 'createdAt'>, now: Date): boolean {
  return now.getTime() - createdAt.getTime() < RETENTION_SECONDS * 1000;
}

/**
 * Figures that contradict the log. While it holds everything, figures are what it holds; later they are at least that. The
 * last acceptance is at least the latest first one, at any age: a delivery can be accepted more than once.
 */
export function getStatsDifferences(stats: WebhookStats, held: StoredStats, whole: boolean): StatsDifference[] {
  const wrong = (is: number, shouldBe: number): boolean => (whole ? is !== shouldBe : is < shouldBe);
  const differences: StatsDifference[] = (['totalDelivered', 'totalFailed'] as const)
    .filter((figure) => wrong(stats[figure], held[figure]))
    .map((figure) => ({ figure, is: stats[figure], shouldBe: held[figure] }));
  const [is, atLeast] = [stats.lastDeliveredAt, held.lastDeliveredAt];
  if (atLeast !== null && (is === null || is < atLeast)) {
    const told = { is: is?.toISOString() ?? null, shouldBe: atLeast.toISOString() };
    differences.push({ figure: 'lastDeliveredAt', ...told });
  }
  return differences;
}
