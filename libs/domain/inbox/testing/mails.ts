interface Answer {
  readonly from: string;
  readonly to?: string;
  readonly id?: string;
  readonly inReplyTo?: string;
  readonly subject?: string;
  readonly text: string;
  readonly headers?: string;
}

let serial = 0;

/** A plain mail. */
export function mail({ from, to = 'grace@senders.test', id, inReplyTo, subject, text, headers = '' }: Answer): string {
  serial += 1;
  return (
    `From: ${from}\nTo: ${to}\nMessage-ID: ${id ?? `<answer-${serial}@elsewhere.test>`}\n` +
    `Subject: ${subject ?? 'Re: Your roadmap'}\nDate: Wed, 25 Nov 2026 11:59:00 +0000\n` +
    (inReplyTo ? `In-Reply-To: ${inReplyTo}\nReferences: ${inReplyTo}\n` : '') +
    `${headers}MIME-Version: 1.0\nContent-Type: text/plain; charset=utf-8\n\n${text}\n`
  );
}

interface Report {
  readonly recipient: string;
  readonly status: string;
  readonly diagnostic: string;
  readonly originalId?: string;
  readonly action?: string;
}

/** A delivery status notification (RFC 3464) in the format of Postfix. */
export function bounce({ recipient, status, diagnostic, originalId, action = 'failed' }: Report): string {
  serial += 1;
  return `From: MAILER-DAEMON@mx.elsewhere.test (Mail Delivery System)
To: grace@senders.test
Subject: Undelivered Mail Returned to Sender
Message-ID: <bounce-${serial}@mx.elsewhere.test>
Auto-Submitted: auto-replied
Date: Wed, 25 Nov 2026 11:59:00 +0000
MIME-Version: 1.0
Content-Type: multipart/report; report-type=delivery-status; boundary="b"

--b
Content-Type: text/plain; charset=us-ascii

This is the mail system at host mx.elsewhere.test. Your message could not be delivered.

<${recipient}>: ${diagnostic}

--b
Content-Type: message/delivery-status

Reporting-MTA: dns; mx.elsewhere.test

Final-Recipient: rfc822; ${recipient}
Action: ${action}
Status: ${status}
Diagnostic-Code: smtp; ${diagnostic}

--b
Content-Type: text/rfc822-headers

From: grace@senders.test
To: ${recipient}
Subject: Your roadmap
${originalId ? `Message-ID: ${originalId}\n` : ''}
--b--
`;
}

/** A report of abuse (RFC 5965). */
export function complaint(recipient: string, originalId: string): string {
  serial += 1;
  return `From: feedback@isp.test
To: grace@senders.test
Subject: FW: Your roadmap
Message-ID: <arf-${serial}@isp.test>
Date: Wed, 25 Nov 2026 11:59:00 +0000
MIME-Version: 1.0
Content-Type: multipart/report; report-type=feedback-report; boundary="b"

--b
Content-Type: text/plain

This is an email abuse report.

--b
Content-Type: message/feedback-report

Feedback-Type: abuse
User-Agent: SomeGenerator/1.0
Version: 1
Original-Rcpt-To: <${recipient}>

--b
Content-Type: message/rfc822

From: grace@senders.test
To: ${recipient}
Subject: Your roadmap
Message-ID: ${originalId}

Hello
--b--
`;
}
