import { type GmailServer, type GraphServer } from '../../libs/adapters/mail/testing';

/** A mailbox at a vendor, connected by consent. */
export interface VendorInbox {
  mailboxId: string;
  address: string;
  receive(raw: string, at?: Date): Promise<void>;
  /** Moves all mail out of the inbox, as its owner does. */
  archive(): void;
}

/** A mailbox at the vendor’s server, before its connection. */
interface VendorMailbox {
  tokens: Set<string>;
  receive(raw: Buffer, at?: Date): Promise<void>;
  archive(): void;
}

export function googleMailbox(gmail: GmailServer, address: string): VendorMailbox {
  const tokens = new Set<string>();
  const mailbox = gmail.mailbox(address, tokens);
  const receive = async (raw: Buffer, at?: Date) => void mailbox.deliver(raw, undefined, at ?? null);
  const archive = () => [...mailbox.messages.keys()].forEach((id) => mailbox.relabel(id, [], ['INBOX']));
  return { tokens, receive, archive };
}

export function microsoftMailbox(graph: GraphServer, address: string): VendorMailbox {
  const mailbox = graph.mailbox(address);
  const receive = async (raw: Buffer, at?: Date) => void (await mailbox.store(raw, { ...(at && { receivedAt: at }) }));
  const archive = () => mailbox.in('inbox').forEach((message) => mailbox.move(message, 'archive'));
  return { tokens: mailbox.tokens, receive, archive };
}
