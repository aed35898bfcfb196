import { createTransport } from 'nodemailer';
import { headersOf, type Sent, type Transport } from './message.ts';

interface SmtpFault extends Error {
  code?: string;
  responseCode?: number;
  response?: string;
}

/** What a server says about the mail itself is final; everything else (a wrong password included) may pass. */
const ABOUT_THE_MAIL = new Set(['EENVELOPE', 'EMESSAGE']);

function judged(fault: SmtpFault): Sent {
  const reason = (fault.response ?? fault.message).slice(0, 300);
  const final = (fault.responseCode ?? 0) >= 500 && ABOUT_THE_MAIL.has(fault.code ?? '');
  return { outcome: final ? 'refused' : 'later', reason };
}

/**
 * Sends over SMTP, a connection for each mail. No answer for so many seconds is a failure that may pass: a server that
 * hangs holds up nobody for longer.
 */
export function smtpTransport(url: string, timeoutSeconds: number): Transport {
  const milliseconds = timeoutSeconds * 1_000;
  const transporter = createTransport({
    url,
    connectionTimeout: milliseconds,
    greetingTimeout: milliseconds,
    socketTimeout: milliseconds,
    dnsTimeout: milliseconds,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return {
    async send(message) {
      const { from, to, subject, text, html, at } = message;
      try {
        await transporter.sendMail({
          ...headersOf(message),
          from,
          to: { name: '', address: to },
          subject,
          text,
          html,
          date: at,
        });
        return { outcome: 'sent' };
      } catch (error) {
        return judged(error as SmtpFault);
      }
    },
    close: () => transporter.close(),
  };
}
