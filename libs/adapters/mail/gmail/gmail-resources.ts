/** The used parts of Gmail's resources, as in its REST reference. JSON omits empty and zero values, so every property is optional. */
export interface GmailHeader {
  readonly name?: string;
  readonly value?: string;
}

export interface GmailPart {
  readonly partId?: string;
  readonly mimeType?: string;
  readonly filename?: string;
  readonly headers?: readonly GmailHeader[];
  readonly body?: { readonly attachmentId?: string; readonly size?: number; readonly data?: string };
  readonly parts?: readonly GmailPart[];
}

export interface GmailMessage {
  readonly id?: string;
  readonly threadId?: string;
  readonly labelIds?: readonly string[];
  /** Milliseconds since 1970. */
  readonly internalDate?: string;
  readonly sizeEstimate?: number;
  readonly payload?: GmailPart;
}

export interface GmailMessages {
  readonly messages?: readonly GmailMessage[];
  readonly nextPageToken?: string;
}

/** A history record names messages by id; their labels are not guaranteed. */
export type NamedMessage = Pick<GmailMessage, 'id' | 'threadId' | 'labelIds'>;

export interface GmailHistoryRecord {
  readonly id?: string;
  readonly messagesAdded?: readonly { readonly message?: NamedMessage }[];
  readonly messagesDeleted?: readonly { readonly message?: NamedMessage }[];
  readonly labelsAdded?: readonly { readonly message?: NamedMessage; readonly labelIds?: readonly string[] }[];
  readonly labelsRemoved?: readonly { readonly message?: NamedMessage; readonly labelIds?: readonly string[] }[];
}

export interface GmailHistory {
  readonly history?: readonly GmailHistoryRecord[];
  readonly nextPageToken?: string;
  /** The current history id of the mailbox. */
  readonly historyId?: string;
}

export interface GmailProfile {
  readonly emailAddress?: string;
  readonly historyId?: string;
}

export interface GmailDraft {
  readonly id?: string;
  readonly message?: GmailMessage;
}

export interface GmailLabel {
  readonly id?: string;
  readonly name?: string;
  readonly type?: string;
}

export interface GmailLabels {
  readonly labels?: readonly GmailLabel[];
}

export interface GmailSendAs {
  readonly sendAs?: readonly {
    readonly sendAsEmail?: string;
    readonly isPrimary?: boolean;
    readonly verificationStatus?: string;
  }[];
}
