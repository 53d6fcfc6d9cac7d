import { type DayFigures } from '@domain/analytics';
import { addDays, daysBetween } from '@platform/time';
import { createReportFigures } from '../figures/figure-sums';
import { type MailboxLine } from '../figures/mailbox-summary';

/** Figures with these values and 0 for all others. */
export function figures(some: Partial<DayFigures>): DayFigures {
  return { ...createReportFigures(), ...some };
}

/** Figures of consecutive days, fewer on two of seven. */
export function week(first: string, count: number) {
  return daysBetween(first, addDays(first, count - 1)).map((day, index) => {
    const busy = index % 7 < 5 ? 1 : 0;
    const wave = Math.round(40 * Math.sin(index * 1.3));
    return {
      day,
      figures: figures({
        sent: busy * (260 + wave * 2),
        contacted: busy * (150 + wave),
        opened: busy * (70 + wave) + 12,
        clicked: busy * 14 + 2,
        replied: busy * (9 + Math.round(wave / 8)) + 1,
        positiveReplied: busy * (4 + Math.round(wave / 12)),
        bounced: busy * (index % 3),
        unsubscribed: index % 2,
      }),
    };
  });
}

/** Mailboxes of a report in several states. */
export function lines(): MailboxLine[] {
  const states = ['disconnected', 'stopped', 'ready', 'ready', 'ready', 'paused', 'ready', 'ready'] as const;
  return states.map((state, index) => ({
    email: `${['grace', 'alan', 'ada', 'linus', 'barbara', 'edsger', 'donald', 'margaret'][index]}@acme-mail.com`,
    state,
    healthScore: index === 4 ? null : 100 - index * 9,
    warmup: index % 3 === 0 ? 'in_progress' : 'completed',
    dailyLimit: 40 + index,
    sent: 210 - index * 23,
    replied: 12 - index,
    bounced: index % 3,
  }));
}
