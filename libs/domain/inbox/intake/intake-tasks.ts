import { type StopReason } from '@domain/leads';
import { type SuppressionSource } from '@domain/suppressions';

/**
 * What follows from a message outside of the transaction that writes what it says: plain data, kept with the message until it
 * is done. Each can be done again.
 */
export type IntakeTask =
  /** Nothing more is given to a server for the lead. */
  | { readonly do: 'withhold'; readonly leadId: string; readonly reason: StopReason }
  /** Everybody at the company of who answered. */
  | { readonly do: 'stop_company'; readonly campaignId: string; readonly domain: string }
  | {
      readonly do: 'suppress';
      readonly address: string;
      readonly source: SuppressionSource;
      readonly sendId: string | null;
      readonly reason: string;
    }
  /** The language model is to say what the answer means. */
  | { readonly do: 'ask_label'; readonly conversationId: string; readonly messageId: string }
  /** The answer asks not to be written to any more. */
  | { readonly do: 'opt_out'; readonly address: string; readonly sendId: string | null };
