export { MailModule } from './mail.module';
export { MailSessions } from './mail.sessions';
export { composeMessage } from './mime/compose.lazily';
export type { MessageImage } from './mime/compose.message';
export { readEnvelope } from './mime/read.envelope';
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
  MessageGone,
  MessageMoved,
  MessageRef,
  MessageSummary,
  NewMessage,
  SyncBatch,
  SyncRequest,
  UnreadableMessage,
} from './port/changes';
export type { MailDriver } from './port/driver';
export type { FolderRole, MailFolder } from './port/folder';
export { MailError, type MailFailure, type MailStage, type ServerWords, serverWords } from './port/mail.errors';
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
export { SmtpRelay } from './relay/smtp.relay';
export { ehloName } from './smtp/ehlo.name';
export { readReply, type Reply } from './smtp/smtp.reply';
