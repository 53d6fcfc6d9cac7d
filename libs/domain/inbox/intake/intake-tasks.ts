import { type StopReason } from '@domain/leads';
import { type SuppressionSource } from '@domain/suppressions';

/**
 * A task that follows from a message and runs after its transaction: plain data, stored with the message until it is done.
 * Each task is repeatable.
 */
export type IntakeTask =
  /** Withholds all emails of the lead that are not submitted yet. */
  | { readonly do: 'withhold'; readonly leadId: string; readonly reason: StopReason }
  /** Stops all leads at the company of the author. */
  | { readonly do: 'stop_company'; readonly campaignId: string; readonly domain: string }
  | {
      readonly do: 'suppress';
      readonly address: string;
      readonly source: SuppressionSource;
      readonly sendId: string | null;
      readonly reason: string;
    }
  /** Asks the language model for a label. */
  | { readonly do: 'ask_label'; readonly conversationId: string; readonly messageId: string }
  /** Suppresses an address at the request of a reply. */
  | { readonly do: 'opt_out'; readonly address: string; readonly sendId: string | null };
