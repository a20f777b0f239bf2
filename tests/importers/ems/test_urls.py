import pytest

from topograph.importers.ems import Endpoint, parse_endpoint
from topograph.importers.ems.urls import split_urls


@pytest.mark.parametrize(
    ("url", "endpoint"),
    [
        ("tcp://east1:7222", Endpoint("tcp", "east1", 7222)),
        ("ssl://lab.example.org:7243", Endpoint("ssl", "lab.example.org", 7243)),
        ("tcp://7022", Endpoint("tcp", None, 7022)),
        ("http://:8080", Endpoint("http", None, 8080)),
        ("TCP://10.0.0.1:7222", Endpoint("tcp", "10.0.0.1", 7222)),
        ("tcp://[fe80::1]:7222", Endpoint("tcp", "fe80::1", 7222)),
        ("tcp://host", Endpoint("tcp", "host", None)),
        ("https://host:1/path?x=1", Endpoint("https", "host", 1)),
        ("tcp://99999", None),
        ("tcp://host:70000", None),
        ("tcp://", None),
        ("host:7222", None),
        ("", None),
        ("tcp://a b", None),
    ],
)
def test_a_url_leads_to_an_endpoint(url: str, endpoint: Endpoint | None) -> None:
    assert parse_endpoint(url) == endpoint


def test_a_fault_tolerant_list_is_split_at_commas() -> None:
    assert split_urls("tcp://a:1, tcp://b:2,,") == ("tcp://a:1", "tcp://b:2")
