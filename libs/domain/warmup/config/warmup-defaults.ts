import { type MailboxProvider } from '@domain/mailboxes';
import { type WarmupConfig } from '../schemas/warmup.record';

type Growth = Pick<WarmupConfig, 'startingVolume' | 'dailyIncrease' | 'targetVolume' | 'replyRates'>;

const createSafeConfig = (): Growth => ({
  startingVolume: 10,
  dailyIncrease: 1,
  targetVolume: 25,
  replyRates: { inbox: { min: 30, max: 45 }, promotions: { min: 15, max: 25 }, spam: 100 },
});

/** The provider's defaults of the contract. No provider needs other values so far. */
const GROWTH: Record<MailboxProvider, () => Growth> = {
  google: createSafeConfig,
  microsoft: createSafeConfig,
  custom: createSafeConfig,
};

/** The settings of a warmup that has not been changed. */
export function getDefaultConfig(provider: MailboxProvider): WarmupConfig {
  return {
    ...GROWTH[provider](),
    weekdaysOnly: false,
    languages: ['en'],
    timezone: null,
    windowStart: '08:00',
    windowEnd: '19:00',
    budgetShare: 60,
    textSource: 'library',
  };
}
