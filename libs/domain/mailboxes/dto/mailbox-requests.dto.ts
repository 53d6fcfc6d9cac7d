import {
  EmailField,
  FlagField,
  IntegerField,
  OneOfField,
  SearchPageQuery,
  TextField,
  TimeZoneField,
} from '@platform/validation';
import {
  MAILBOX_PROVIDERS,
  MAILBOX_STATUSES,
  type MailboxProvider,
  type MailboxStatus,
} from '../schemas/mailbox.record';
import {
  DisplayNameField,
  HostField,
  MAX_SIGNATURE,
  PasswordField,
  PortField,
  TagsField,
  UsernameField,
} from './mailbox-fields.decorator';

const SECURE = 'TLS from the first byte; otherwise STARTTLS.';
const LIMIT = 'Emails per day of the mailbox’s time zone. Default: 30.';
const GAP = 'Minimum seconds between two emails. Default: 60.';
const ZONE = 'Time zone of the mailbox’s day. Default: UTC.';
const TAGS = 'Labels to find the mailbox by.';
const AGAIN = 'The logins are verified before anything is stored.';
const WITH_PASSWORD = 'Only together with the password: a stored password is not sent to another server.';

/** Settings of every mailbox, however it is connected. */
export class MailboxPreferences {
  @DisplayNameField({ optional: true, about: 'The name beside the address in sent emails.' })
  displayName?: string;

  @IntegerField({ min: 1, max: 10_000, optional: true, about: LIMIT })
  dailySendLimit?: number;

  @IntegerField({ min: 0, max: 86_400, optional: true, about: GAP })
  sendGapSeconds?: number;

  @TimeZoneField({ optional: true, about: ZONE })
  timezone?: string;

  @TextField({ min: 0, max: MAX_SIGNATURE, optional: true, about: 'HTML.' })
  signature?: string;

  @TagsField({ optional: true, about: TAGS })
  tags?: string[];

  @FlagField({ optional: true, about: 'Whether campaigns may send from it. Default: true.' })
  sendingEnabled?: boolean;
}

export class CreateMailboxRequest extends MailboxPreferences {
  @EmailField({ about: 'Its address; unique in the workspace.' })
  email!: string;

  @HostField({ about: 'The server that sends mail.' })
  smtpHost!: string;

  @PortField({ about: 'Usually 587, or 465 with TLS from the first byte.' })
  smtpPort!: number;

  @FlagField({ about: SECURE })
  smtpSecure!: boolean;

  @UsernameField({ optional: true, about: 'Default: the address.' })
  smtpUsername?: string;

  @PasswordField({ about: 'Stored encrypted and never returned.' })
  smtpPassword!: string;

  @HostField({ about: 'The server that mail is read from.' })
  imapHost!: string;

  @PortField({ about: 'Usually 993, or 143 without TLS from the first byte.' })
  imapPort!: number;

  @FlagField({ about: SECURE })
  imapSecure!: boolean;

  @UsernameField({ optional: true, about: 'Default: that of the outgoing server.' })
  imapUsername?: string;

  @PasswordField({ optional: true, about: 'Default: that of the outgoing server.' })
  imapPassword?: string;
}

/** Omitted fields stay unchanged. Server settings are for mailboxes with `connectionType` `smtp`. */
export class UpdateMailboxRequest extends MailboxPreferences {
  @HostField({ optional: true, about: `${AGAIN} ${WITH_PASSWORD}` })
  smtpHost?: string;

  @PortField({ optional: true, about: `${AGAIN} ${WITH_PASSWORD}` })
  smtpPort?: number;

  @FlagField({ optional: true, about: `${SECURE} ${AGAIN}` })
  smtpSecure?: boolean;

  @UsernameField({ optional: true, about: AGAIN })
  smtpUsername?: string;

  @PasswordField({ optional: true, about: AGAIN })
  smtpPassword?: string;

  @HostField({ optional: true, about: `${AGAIN} ${WITH_PASSWORD}` })
  imapHost?: string;

  @PortField({ optional: true, about: `${AGAIN} ${WITH_PASSWORD}` })
  imapPort?: number;

  @FlagField({ optional: true, about: `${SECURE} ${AGAIN}` })
  imapSecure?: boolean;

  @UsernameField({ optional: true, about: AGAIN })
  imapUsername?: string;

  @PasswordField({ optional: true, about: AGAIN })
  imapPassword?: string;
}

/** Query of the list; all given conditions must hold. */
export class MailboxQuery extends SearchPageQuery {
  @OneOfField(MAILBOX_STATUSES, { optional: true, about: 'Only mailboxes with this status.' })
  status?: MailboxStatus;

  @OneOfField(MAILBOX_PROVIDERS, { optional: true, about: 'Only mailboxes of this provider.' })
  provider?: MailboxProvider;

  @TextField({ max: 50, optional: true, about: 'Only mailboxes with exactly this tag.' })
  tag?: string;
}

const ANSWERS = ['true', 'false'] as const;

export class DeleteMailboxQuery {
  @OneOfField(ANSWERS, { optional: true, about: 'true: delete even when active campaigns use it. Default: false.' })
  force?: (typeof ANSWERS)[number];
}
