// Chat messages contain only the action type, the description and a link for each decision. Agents write the first two, so they
// are placed where no chat interprets mentions, links or formatting.
import type { ChatKind, ChatOccasion } from '../../db/generated/prisma/enums.ts';
import { safeText } from '../mail/layout.ts';

export interface AnnouncedDecision {
  occasion: ChatOccasion;
  actionType: string;
  description: string | null;
  link: string;
}

interface Announcement {
  /** The decisions listed in the message. */
  decisions: readonly AnnouncedDecision[];
  /** The number of further ones, by occasion. */
  more: Record<ChatOccasion, number>;
  /** The console's list of pending decisions. */
  link: string;
}

const TITLES: Record<ChatOccasion, string> = { WAITING: 'Waiting for approval', DECIDED: 'Decided' };
const OCCASIONS = Object.keys(TITLES) as ChatOccasion[];
const TEST = 'This is a test message from Countersign. Decisions of your center will be announced here.';

export function chatMessage(kind: ChatKind, announcement: Announcement): object {
  return { SLACK: slack, TEAMS: teams, GENERIC: generic }[kind](announcement);
}

export function testMessage(kind: ChatKind): object {
  if (kind === 'SLACK') return { text: TEST, ...SLACK_LITERAL };
  return kind === 'TEAMS' ? teamsCard([{ type: 'TextBlock', text: TEST, wrap: true }]) : { text: TEST };
}

/** One line without invisible characters, in which nothing reads as an address or a mention. */
const oneLine = (text: string) =>
  text
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ')
    .replace(/@(?=\S)/gu, '@ ')
    .trim();

const titleOf = ({ actionType }: AnnouncedDecision) => oneLine(actionType);
const descriptionOf = ({ description }: AnnouncedDecision) => safeText(description ?? '');

function sections({ decisions, more }: Announcement) {
  return OCCASIONS.map((occasion) => ({
    title: TITLES[occasion],
    decisions: decisions.filter((decision) => decision.occasion === occasion),
    more: more[occasion],
  })).filter((section) => section.decisions.length > 0);
}

/** Disables linked names, formatting and previews. */
const SLACK_LITERAL = {
  parse: 'none',
  link_names: false,
  mrkdwn: false,
  unfurl_links: false,
  unfurl_media: false,
};

/** Slack turns text between angle brackets into mentions and links. */
const slackText = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

function slack(announcement: Announcement): object {
  const plain = (text: string) => ({
    type: 'section',
    text: { type: 'plain_text', text: slackText(text), emoji: false },
  });
  const link = (url: string) => ({
    type: 'context',
    elements: [{ type: 'mrkdwn', text: `<${url}|Open in Countersign>`, verbatim: true }],
  });
  return {
    text: sections(announcement)
      .map(({ title }) => title)
      .join(', '),
    ...SLACK_LITERAL,
    blocks: sections(announcement).flatMap(({ title, decisions, more }) => [
      plain(title),
      ...decisions.flatMap((decision) => [
        plain([titleOf(decision), descriptionOf(decision)].filter((part) => part !== '').join('\n')),
        link(decision.link),
      ]),
      ...(more > 0 ? [plain(`And ${more} more.`), link(announcement.link)] : []),
    ]),
  };
}

const teamsCard = (body: object[]) => ({
  type: 'message',
  attachments: [
    {
      contentType: 'application/vnd.microsoft.card.adaptive',
      content: { type: 'AdaptiveCard', version: '1.4', body },
    },
  ],
});

function teams(announcement: Announcement): object {
  // Text runs are displayed verbatim; only a TextBlock is parsed as Markdown.
  const plain = (text: string, weight = 'Default') => ({
    type: 'RichTextBlock',
    inlines: [{ type: 'TextRun', text, weight }],
  });
  const link = (url: string) => ({ type: 'TextBlock', text: `[Open in Countersign](${url})`, wrap: true });
  return teamsCard(
    sections(announcement).flatMap(({ title, decisions, more }) => [
      plain(title, 'Bolder'),
      ...decisions.flatMap((decision) => [
        plain(titleOf(decision)),
        ...(decision.description ? [plain(descriptionOf(decision))] : []),
        link(decision.link),
      ]),
      ...(more > 0 ? [plain(`And ${more} more.`), link(announcement.link)] : []),
    ]),
  );
}

function generic({ decisions, more, link }: Announcement): object {
  return {
    decisions: decisions.map((decision) => ({
      state: decision.occasion === 'WAITING' ? 'waiting' : 'decided',
      actionType: titleOf(decision),
      description: descriptionOf(decision) || null,
      link: decision.link,
    })),
    more: { waiting: more.WAITING, decided: more.DECIDED },
    link,
  };
}
