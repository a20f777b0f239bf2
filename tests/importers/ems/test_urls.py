import pytest

from topograph.facts.ems_urls import Endpoint, endpoints, parse_endpoint, split_urls


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
        (" tcp://host:7222 ", Endpoint("tcp", "host", 7222)),
        ("tcp://host:7222/", Endpoint("tcp", "host", 7222)),
        ("tcp://host?x=1", Endpoint("tcp", "host", None)),
        ("ems+ssl://host:7243", Endpoint("ems+ssl", "host", 7243)),
        ("ssl://[::1]", Endpoint("ssl", "::1", None)),
        ("tcp://[::]:7222", Endpoint("tcp", "::", 7222)),
        ("tcp://7222:7333", Endpoint("tcp", "7222", 7333)),
        ("https://host:1/path?x=1", Endpoint("https", "host", 1)),
        ("tcp://99999", None),
        ("tcp://123456", None),
        ("tcp://00007222", None),
        ("tcp://host:", None),
        ("tcp://::1", None),
        ("tcp://[]:7222", None),
        ("tcp://[host]:7222", None),
        ("tcp://[::1:7222", None),
        ("tcp://a:7222|tcp://b:7222", None),
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


@pytest.mark.parametrize(
    ("value", "hosts"),
    [
        ("tcp://a:7222,tcp://b:7222", ["a", "b"]),
        (" tcp://a , ssl://[fe80::1]:7243,", ["a", "fe80::1"]),
        ("tcp://a:7222,b:7222,tcp://c:70000,tcp://d", ["a", "d"]),
        ("", []),
    ],
)
def test_a_list_leads_to_the_endpoints_of_what_is_a_url_in_it(value: str, hosts: list[str]) -> None:
    assert [end.host for end in endpoints(value)] == hosts
