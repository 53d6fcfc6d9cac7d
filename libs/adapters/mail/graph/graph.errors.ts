import { type FailureKind } from '@platform/errors';
import { retryAfterMs } from '@platform/outbound';
import { MailError, type MailStage, type ServerReply, toServerReply } from '../port/mail.errors';
import { toInterruptedRequest } from '../concurrency/interrupted-request';

interface GraphFailure {
  readonly failure: FailureKind;
  readonly stage: MailStage;
  readonly message: string;
  readonly lastReply?: ServerReply | null;
  readonly retryAfterMs?: number | null;
  /** HTTP status, null without a response. */
  readonly status?: number | null;
  /** `error.code` of the response. */
  readonly graphCode?: string | null;
  /** Whether the request may have taken effect without a response. */
  readonly isSent?: boolean;
}

/** A failure with the HTTP status, the code of Graph, and whether the request was sent. */
export class GraphError extends MailError {
  readonly status: number | null;
  readonly graphCode: string | null;
  readonly isSent: boolean;

  constructor(failed: GraphFailure, cause?: unknown) {
    super({ ...failed, lastReply: failed.lastReply ?? null, retryAfterMs: failed.retryAfterMs ?? null }, cause);
    this.status = failed.status ?? null;
    this.graphCode = failed.graphCode ?? null;
    this.isSent = failed.isSent ?? false;
  }
}

/** Codes that need a person, regardless of the status (MailboxNotEnabledForRESTAPI comes with 404 too). */
const FOR_A_PERSON = new Set([
  'erroraccessdenied',
  'accessdenied',
  'authorization_requestdenied',
  'erroraccountsuspend',
  'errorinvalidlicense',
  'errormessagesubmissionblocked',
  'errorsendasdenied',
  'invalidauthenticationtoken',
  'mailboxnotenabledforrestapi',
  'mailboxnotsupportedforrestapi',
]);

const FOLDER_EXISTS = 'errorfolderexists';

/** Temporary limits and states. Message and storage quotas come with 4xx statuses that would otherwise be permanent. */
const PASSING = new Set([
  'activitylimitreached',
  'applicationthrottled',
  'errorexceededmessagelimit',
  'errorinternalservertransienterror',
  'errorirresolvableconflict',
  'errormailboxmoveinprogress',
  'errormailboxstoreunavailable',
  // Occurs intermittently for existing mailboxes (microsoft-graph-docs-contrib issue 8823).
  'errornonexistentmailbox',
  'errorquotaexceeded',
  'errorserverbusy',
  'errorsubmissionquotaexceeded',
  'errortimeoutexpired',
  'errortoomanyobjectsopened',
  'mailboxconcurrency',
  'toomanyrequests',
]);

/** States of a delta token that require a new read; the documentation names the first three. */
const RESYNC = new Set([
  'syncstatenotfound',
  'resyncrequired',
  'syncstateinvalid',
  'errorinvalidsyncstatedata',
  'resyncchangesapplydifferences',
  'resyncchangesuploaddifferences',
]);

/** Permanent refusals with a status that looks temporary. */
const LASTING = new Set([FOLDER_EXISTS]);

/** Temporary statuses: 408 (request not read completely), 409, 410, 423, 425, 429 and 507 in addition to 5xx. */
const PASSING_STATUS = new Set([408, 409, 410, 423, 425, 429]);

export interface Refusal {
  readonly status: number;
  readonly headers: Record<string, string | string[] | undefined>;
  readonly body: string;
  /** `POST /messages`: without ids. */
  readonly command: string;
  /** Secrets that must not appear in the stored response. */
  readonly secret: string;
}

/** Classifies a response other than 2xx. */
export function toGraphRefusal({ status, headers, body, command, secret }: Refusal): GraphError {
  const { code, message } = readError(body);
  const said = [code, message].filter(Boolean).join(': ') || body || `HTTP ${status}`;
  const failure = getFailureKind(status, code?.toLowerCase() ?? '');
  return new GraphError({
    failure,
    stage: failure === 'needs-human' ? 'login' : 'request',
    message: MESSAGES[failure],
    lastReply: toServerReply({ code: status, command, response: secret ? said.replaceAll(secret, '[token]') : said }),
    retryAfterMs: retryAfterMs(headers['retry-after'], headers['date']),
    status,
    graphCode: code,
  });
}

/** Whether the server has lost the state of a delta link. */
export function isResync(error: unknown): boolean {
  if (!(error instanceof GraphError)) return false;
  return error.status === 410 || RESYNC.has(error.graphCode?.toLowerCase() ?? '');
}

/** A folder with that name exists, without regard to case. */
export function isFolderThere(error: unknown): boolean {
  return error instanceof GraphError && error.graphCode?.toLowerCase() === FOLDER_EXISTS;
}

export function isGraphNotFound(error: unknown): boolean {
  return error instanceof GraphError && error.status === 404 && error.failure === 'permanent';
}

const MESSAGES: Record<FailureKind, string> = {
  temporary: 'Microsoft Graph is temporarily unable to do this',
  permanent: 'Microsoft Graph refuses this',
  'needs-human': 'Microsoft Graph refuses access to the mailbox',
  ambiguous: 'The outcome of the request to Microsoft Graph is unknown',
};

function getFailureKind(status: number, code: string): FailureKind {
  if (status === 401 || FOR_A_PERSON.has(code)) return 'needs-human';
  if (LASTING.has(code)) return 'permanent';
  if (PASSING.has(code) || RESYNC.has(code) || PASSING_STATUS.has(status) || status >= 500) return 'temporary';
  if (status === 403) return 'needs-human';
  // A redirect is not followed, because it would carry the token.
  return status < 400 ? 'temporary' : 'permanent';
}

function readError(body: string): { code: string | null; message: string | null } {
  try {
    const parsed = JSON.parse(body) as { error?: { code?: unknown; message?: unknown } | null } | null;
    const error = parsed?.error;
    return { code: toTextOrNull(error?.code), message: toTextOrNull(error?.message) };
  } catch {
    return { code: null, message: null };
  }
}

function toTextOrNull(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

/** Classifies a missing or incomplete response. Only a failure to connect proves that the request was not sent. */
export function toConnectionFailure(error: unknown, command: string): GraphError {
  const { code: known, stage, isSent } = toInterruptedRequest(error);
  const code = known || getErrorName(error);
  return new GraphError(
    {
      failure: 'temporary',
      stage,
      message:
        stage === 'request'
          ? `The connection to Microsoft Graph was lost (${code})`
          : `Microsoft Graph cannot be reached (${code})`,
      lastReply: toServerReply({ command, response: code }),
      isSent,
    },
    error,
  );
}

function getErrorName(error: unknown): string {
  return typeof error === 'object' && error !== null && 'name' in error && typeof error.name === 'string'
    ? error.name
    : 'unknown';
}
