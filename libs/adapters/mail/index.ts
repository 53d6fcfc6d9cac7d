export { MailModule } from './mail.module';
export { MailSessionPool } from './mail-session-pool';
export { composeMessageLazily as composeMessage } from './mime/lazy-compose-message';
export type { MessageImage } from './mime/compose-message';
export { readEnvelope } from './mime/read-envelope';
export type {
  FakeAccount,
  GmailAccount,
  GraphAccount,
  Login,
  LoginSource,
  MailAccount,
  MailAccountKind,
  ServerSettings,
  SmtpImapAccount,
  TokenSource,
} from './port/account';
export type {
  FlagsChanged,
  MailAddress,
  MailChange,
  MessageFlags,
  MessageDeleted,
  MessageRelocation,
  MessageRef,
  MessageSummary,
  NewMessage,
  SyncBatch,
  SyncRequest,
  UnreadableMessage,
} from './port/changes';
export type { MailDriver } from './port/driver';
export type { FolderRole, MailFolder } from './port/folder';
export { MailError, type MailFailure, type MailStage, type ServerReply, toServerReply } from './port/mail.errors';
export type {
  Accepted,
  ComposedMessage,
  NotAccepted,
  SendHandle,
  SendOptions,
  SendOutcome,
  SentLookup,
  Withheld,
} from './port/send';
export type { Attachment, AttachmentContent, CheckResult, MailCheck, MailSession } from './port/session';
export { SmtpRelayClient } from './relay/smtp-relay.client';
export { getEhloName } from './smtp/ehlo-name';
export { parseSmtpReply as readReply, type Reply } from './smtp/smtp-reply';
