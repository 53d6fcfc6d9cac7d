import { CampaignCountersService } from '@domain/campaigns';
import { Types } from 'mongoose';
import { type Platform } from '../harness';
import { getDatabase } from '../harness/sending';

/** Figures of the campaign, without zeros. */
export async function campaignFigures(
  { app }: Platform,
  workspaceId: string,
  campaignId: string,
): Promise<Record<string, number>> {
  const sums = await app.get(CampaignCountersService, { strict: false }).sum(workspaceId, [campaignId]);
  return nonZero(sums.get(campaignId)?.stats ?? {});
}

/** Figures of the mailbox over all days, without zeros. */
export async function mailboxFigures(platform: Platform, mailboxId: string): Promise<Record<string, number>> {
  const days = await getDatabase(platform)
    .collection('mailbox_days')
    .find({ mailboxId: new Types.ObjectId(mailboxId) })
    .toArray();
  const sum = (name: string) => days.reduce((total, day) => total + Number(day[name]), 0);
  return nonZero({ opened: sum('opened'), clicked: sum('clicked') });
}

function nonZero(figures: Record<string, number>): Record<string, number> {
  return Object.fromEntries(Object.entries(figures).filter(([, value]) => value !== 0));
}
