import { getRouteApi } from '@tanstack/react-router';
import { BackLink, TextLink } from '../../ui/link.tsx';
import { CenterDetail } from '../centers/center-detail.tsx';

const route = getRouteApi('/inside/platform/centers/$id');

export default function PlatformCenterScreen() {
  const { id } = route.useParams();
  return (
    <CenterDetail
      id={Number(id)}
      back={<BackLink to="/platform/centers" label="Centers" />}
      more={({ partner }) => ({
        Partner: partner && (
          <TextLink to="/platform/partners/$id" params={{ id: partner.id }}>
            {partner.name}
          </TextLink>
        ),
      })}
    />
  );
}
